"""What is seen and heard: soft shadows in both themes, sounds for whoever wants them, the dead without numbers."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenPage
from tests.browser.small import ME, small_battle
from tests.browser.table import MOST_CLICKS

# Instead of playing sounds, note which kinds of sources were started.
HEARING = """
window.heard = [];
const node = (kind) => ({ connect() {}, start() { if (kind) heard.push(kind) }, stop() {},
  frequency: { value: 0, setValueAtTime() {}, linearRampToValueAtTime() {} },
  gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} } });
window.AudioContext = class {
  currentTime = 0; sampleRate = 8000; destination = {};
  async resume() {}
  createGain() { return node(''); }
  createOscillator() { return node('tone'); }
  createBufferSource() { return node('rattle'); }
  createBiquadFilter() { return node(''); }
  createBuffer(_, length) { return { getChannelData: () => new Float32Array(length) }; }
};"""
# How dark the shadow is to the right of the frame and below it, pixel by pixel up to the end of the picture.
SHADOWS = """() => {
  const canvas = document.querySelector('.ground canvas');
  const { width: w, height: h } = canvas;
  const context = canvas.getContext('2d');
  const inch = Math.round(w / (72 + 5.2));
  const alphas = (...box) => [...context.getImageData(...box).data].filter((_, i) => i % 4 === 3);
  return [alphas(w - inch, h >> 1, inch, 1), alphas(w >> 1, h - inch, 1, inch)]; }"""
MOST_STEP, FAINT = 12, 6  # of 255: from one pixel to the next, and where the picture ends


def test_sounds_are_off_at_first_and_can_be_heard_when_wanted(visit: OpenPage) -> None:
    table = visit()
    table.page.add_init_script(HEARING)
    table.page.reload()
    small_battle(table, "regiments-3.5", ("quay-crossbows", "quay-crossbows", "harbour-pikes"))
    table.answer_until("activate")
    table.go()
    assert table.wait_for_my_turn()
    assert table.page.evaluate("heard") == [], "nobody asked for sounds"
    table.find("menu").click()
    table.find("sounds").check()
    assert table.page.evaluate("heard") == ["tone", "tone"], "what the turn sounds like"
    table.find("menu").click()
    for _ in range(MOST_CLICKS):
        table.page.evaluate("heard.length = 0")
        table.find("do-activation").or_(table.find("go")).first.click()
        assert table.wait_for_my_turn(), "no dice fell in the whole battle"
        if "rattle" in table.page.evaluate("heard"):
            break
    expect(table.battle).to_have_attribute("data-my-turn", "true")
    assert "tone" in table.page.evaluate("heard"), "the turn came back"
    table.page.reload()
    table.wait_for_my_turn()
    table.find("menu").click()
    expect(table.find("sounds")).to_be_checked()  # it is remembered


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_shadow_of_the_table_fades_without_bands(visit: OpenPage, theme: str) -> None:
    table = visit()
    table.page.add_init_script(f"localStorage.setItem('shieldwall.theme', '{theme}')")
    table.page.reload()
    small_battle(table, "regiments-3.5", ("harbour-pikes",))
    table.page.locator(".ground canvas").wait_for()
    expect(table.page.locator("html")).to_have_attribute("data-theme", theme)
    for line in table.page.evaluate(SHADOWS):
        steps = [before - after for before, after in pairwise(line)]
        assert line[0] > line[-1], "there is a shadow"
        assert max(map(abs, steps)) <= MOST_STEP, line
        assert min(steps) >= -2, "it only gets fainter"
        assert line[-1] <= FAINT, "it has faded where the picture ends"


def test_the_dead_have_no_quality(visit: OpenPage) -> None:
    table = visit()
    small_battle(table, "skirmish-3.2", ("salt-rangers", "harbour-pikes"), (ME, ME))
    fallen = table.page.locator(".left .ucard", has_text="destroyed")
    for _ in range(MOST_CLICKS):
        assert table.wait_for_my_turn(), "nobody fell in the whole battle"
        if fallen.count():
            break
        table.find("do-activation").or_(table.find("go")).first.click()
    fallen.first.click()
    sheet = table.page.locator(".right .unitsec")
    expect(sheet).to_contain_text("Destroyed")
    assert not re.search(r"\b0\+", sheet.inner_text())
    assert table.page.locator("[aria-label*=' 0+'], [data-more*=' 0+']").count() == 0
