"""A bot of your own in a duel: it charges whenever it can, and otherwise takes the question's own suggestion."""

import shieldwall as sw


class Berserker:
    def decide(self, view, question, numbers):
        charge = sw.answers.Pick("charge")
        return (
            charge if question.kind == "action" and not question.check(charge) else question.sample(numbers)
        )


if __name__ == "__main__":
    games = sw.run_games("aof-2", [Berserker, "random"], games=20)
    print(
        f"the berserker scores {100 * games['score_a'].mean():.0f} % and charges {games['charges_a'].mean():.1f} times"
    )
