"""Teaching the game: guided battles, pages with small tables, campaigns. All of it is data in the scenario format."""
