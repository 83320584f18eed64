import { expect, test } from 'vitest';
import { gathered, pickWords, plainly, planWords, rounded, told } from '../src/app/battle/words';
import { Camera } from '../src/board/camera.svelte';

test('a reason on the board leaves out the model it is about', () => {
  expect(plainly('Pikes 3 of Harbour Pikes would move 6.8 inches; 6 is the most', 'Harbour Pikes')).toBe('Would move 6.8 inches; 6 is the most');
  expect(plainly('the spot lies off the table', 'Harbour Pikes')).toBe('The spot lies off the table');
});

test('the button says what is done to whom', () => {
  const option = { key: 'u3', label: 'Bram Bellows (1.2 inches)', unit: 3 } as never;
  expect(pickWords('charge_target', option, 'Bram Bellows')).toBe('Charge Bram Bellows');
  expect(pickWords('activate', option, 'Bram Bellows')).toBe('Activate Bram Bellows');
  expect(pickWords('strike_back', { key: 'yes', label: 'Strike back', unit: -1 } as never)).toBe('Strike back');
});

test('a move that is too short to be shown is none', () => {
  const plan = { action: 'advance', actions: [{ key: 'advance', label: 'Advance' }], answers: [], target: -1 } as never;
  expect(planWords(plan, { used: 49, legal: true } as never, 'Pikes', '', false)).toBe('Stay here');
  expect(planWords(plan, { used: 150, legal: true } as never, 'Pikes', '', false)).toBe('Advance here');
});

test('a reason is a sentence', () => expect(told('the marker is 3.981 inches from the edge')).toBe('The marker is 4.0 inches from the edge'));

test('inches are told to the tenth, unless that would hide what is wrong', () => {
  expect(rounded('Pikes would go 11.152 inches; at most 6 inches are allowed')).toBe('Pikes would go 11.2 inches; at most 6 inches are allowed');
  expect(rounded('Pikes would go 6.003 inches; at most 6 inches are allowed')).toBe('Pikes would go 6.003 inches; at most 6 inches are allowed');
  expect(rounded('1.25 models')).toBe('1.25 models');
});

test('reasons of one rule are gathered, those without a rule are not', () => {
  const found = gathered([
    { text: 'one', cite: 'A2-MEAS-06' },
    { text: 'two', cite: 'A2-MEAS-06' },
    { text: 'three', cite: '' },
    { text: 'four', cite: '' },
  ]);
  expect(found.map((f) => [f.reason.text, f.more])).toEqual([
    ['one', 1],
    ['three', 0],
    ['four', 0],
  ]);
});

test('the camera shows the table before what lies beyond it, and never loses it', () => {
  const camera = new Camera();
  [camera.width, camera.height, camera.k] = [400, 800, 10];
  const table = { x0: 0, y0: 0, x1: 72, y1: 48 };
  [camera.x, camera.y] = [200, 900];
  camera.keepOn(table, { left: 0, top: 0, right: 0, bottom: 200 });
  expect(camera.x).toBe(0); // wider than the screen: its left edge at most at the left
  expect(camera.y).toBe(60); // smaller than the free part: in its middle
  [camera.x, camera.y] = [-5000, 5000];
  camera.holdOnto(table);
  expect([camera.x + 720, camera.y]).toEqual([80, 720]);
});
