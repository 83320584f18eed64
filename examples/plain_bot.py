"""A bot for Shieldwall in plain Python: no package needed, only lines of JSON. See docs/bots.md.

Try it:  shieldwall duel --bots "program:python3 examples/plain_bot.py,random" --games 2 --workers 1
"""

import json
import sys


def main():
    for line in sys.stdin:
        message = json.loads(line)
        if message["say"] == "hello":
            tell({"say": "ready", "name": "plain"})
        elif message["say"] == "decide":
            answer, why = decide(message["view"], message["question"])
            tell({"id": message["id"], "answer": answer, "why": why})
        elif message["say"] == "refused":
            tell({"id": message["id"], "answer": None})


def tell(message):
    print(json.dumps(message), flush=True)


def decide(view, question):
    """Charge if it can, else go where a marker is, else take the default."""
    options = [option["key"] for option in question.get("options", [])]
    for wish in ("charge", "rush", "advance"):
        if question["kind"] == "action" and wish in options:
            return {"answer": "pick", "option": wish}, f"it can {wish}"
    if question["kind"] == "path":
        walks = [question["default"], *question["samples"]]
        return min(
            walks, key=lambda answer: from_markers(view, answer)
        ), "the sample that ends nearest to a marker"
    return question["default"], ""


def from_markers(view, answer):
    """How far a walk ends from the nearest marker; marches of blocks are judged by how far they go."""
    if answer["answer"] == "march":
        return -sum(abs(amount) for kind, amount in answer.get("legs", []) if kind == "forward")
    ends = [path[1][-1] for path in answer.get("paths", []) if path[1]]
    spots = [(end[0], end[1]) for end in ends]
    return min(
        ((x - m["x"]) ** 2 + (y - m["y"]) ** 2 for x, y in spots for m in view.get("markers", [])),
        default=10**12,
    )


if __name__ == "__main__":
    main()
