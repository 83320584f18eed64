"""A bot of your own in a duel: it charges whenever it can, and otherwise gives a random legal answer."""

import shieldwall as sw


class Berserker:
    def decide(self, view, question, numbers):
        charge = sw.answers.Pick("charge")
        if question.kind == "action" and not question.check(charge):
            return charge
        return question.sample(numbers)


if __name__ == "__main__":
    games = sw.run_games("aof-2", [Berserker, "random"], games=20)
    score, charges = games["score_a"].mean(), games["charges_a"].mean()
    print(f"the berserker scores {100 * score:.0f} % and charges {charges:.1f} times a game")
