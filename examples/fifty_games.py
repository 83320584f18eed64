"""Play fifty games into a DataFrame, and plot them."""

import altair

import shieldwall as sw

if __name__ == "__main__":
    games = sw.run_games("regiments-3.4", ["solo", "random"], games=50, workers=2)
    print(games.select("score_a", "markers_a", "markers_b", "points_lost_a", "points_lost_b").mean())
    altair.Chart(games).mark_bar().encode(x="markers_a:O", y="count()", color="winner").save("games.svg")
