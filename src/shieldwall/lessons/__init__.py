"""Teaching the game: guided battles, pages with small tables, campaigns. All of it is data over the scenario format."""
