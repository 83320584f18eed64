"""The game server: rooms and seats, the path of a command, storage, and the web pages that play."""
