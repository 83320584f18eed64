import { describe, expect, it } from 'vitest';
import { insetsOf, isAside, isShort, isUpright, isWide } from '../src/app/battle/layout';
import { candidatesOf, movableOf, spotOf, stepOn, targetsOf } from '../src/app/battle/pointing';
import { worthDrawing } from '../src/app/battle/survey.svelte';
import { Draft } from '../src/app/draft.svelte';
import { Frame } from '../src/app/frame';
import type { Scene } from '../src/board/scene';
import type { Question, UnitView } from '../src/protocol/types';

const made = (form: unknown, usual: unknown = null, kind = 'pick'): [Draft, Question] => {
  const question = { kind, unit: 1, mine: true, form, default: usual } as unknown as Question;
  return [new Draft(question, { frame: new Frame(48_000, 48_000, false), unit: () => undefined, preview: async () => null }), question];
};
const option = (key: string, unit: number, legal = true) => ({ key, label: key, unit, legal, reasons: [] });
const target = (unit: number, legal = true) => ({ unit, legal });

describe('what on the table answers', () => {
  it('is every legal option that is a unit, and N goes round', () => {
    const [draft, question] = made({ form: 'pick', options: [option('u1', 1), option('u2', 2, false), option('u3', 3)] }, { answer: 'pick', option: 'u1' }, 'activate');
    expect(candidatesOf(draft)).toEqual([1, 3]);
    stepOn(draft, [1, 3], []);
    expect(draft.picked).toBe('u3');
    stepOn(draft, [1, 3], []);
    expect(draft.picked).toBe('u1');
    expect(targetsOf(draft, question)).toEqual([]); // whom one activates is no target
  });
  it('is every unit some weapon may shoot at', () => {
    const groups = [{ key: 'bow', targets: [target(5), target(6, false)] }, { key: 'gun', targets: [target(5), target(7)] }];
    const [draft, question] = made({ form: 'aims', groups, most_targets: 1 }, { answer: 'aims', aims: [{ group: 'bow', target: 5 }] });
    expect(candidatesOf(draft)).toEqual([5, 7]);
    expect(targetsOf(draft, question)).toEqual([5]);
  });
  it('is the unit that is moved, and nothing else', () => {
    const [draft] = made({ form: 'move', unit: 4, action: 'advance', how: 'loose', models: [] });
    expect([candidatesOf(draft), movableOf(draft)]).toEqual([[], [4]]);
    expect(movableOf(null)).toEqual([]);
  });
});

describe('what is pointed at', () => {
  const scene = { units: [{ id: 3, models: [{ x: 4, y: 6 }, { x: 6, y: 8 }] }], markers: [{ id: 0, number: 1, x: 9, y: 2 }] } as unknown as Scene;
  it('is the middle of a unit, or a marker, and else no spot of the table', () => {
    expect(spotOf(scene, { unit: 3, marker: -1 })).toEqual([5, 7]);
    expect(spotOf(scene, { unit: -1, marker: 0 })).toEqual([9, 2]);
    expect(spotOf(scene, { unit: -1, marker: -1 })).toBeNull();
  });
});

describe('what is worth drawing', () => {
  const archer = { weapons: [{ reach: 24_000 }], seat: 0 } as unknown as UnitView;
  const pike = { weapons: [{ reach: 0 }], seat: 0 } as unknown as UnitView;
  it('is range and sight for whoever may still shoot, and the charge where actions are chosen', () => {
    const [advance, asked] = made({ form: 'move', unit: 1, action: 'advance', models: [] }, null, 'path');
    const [rush] = made({ form: 'move', unit: 1, action: 'rush', models: [] }, null, 'path');
    const [, action] = made({ form: 'pick', options: [] }, null, 'action');
    expect(worthDrawing(archer, asked, advance, false, true)).toEqual(['range', 'sight']);
    expect(worthDrawing(archer, asked, rush, false, true)).toEqual([]);
    expect(worthDrawing(pike, asked, advance, false, true)).toEqual([]);
    expect(worthDrawing(pike, action, null, false, true)).toEqual(['charge']);
  });
  it('is what an enemy threatens, where one looks at it', () => expect(worthDrawing(archer, null, null, true, false)).toEqual(['threat']));
});

describe('layout', () => {
  const closed = { wide: false, aside: false, upright: false, sheet: 'peek' as const, tray: 36 };
  it('keeps the board free of the sheet on phones and of panels elsewhere', () => {
    expect(insetsOf(390, closed).bottom).toBeLessThan(insetsOf(390, { ...closed, sheet: 'half' }).bottom);
    expect(insetsOf(1366, closed).right).toBeGreaterThan(insetsOf(1024, closed).right);
  });
  it('keeps the board of a phone free of a coach who stands over it', () => {
    expect(insetsOf(390, { ...closed, cover: { top: 180, bottom: 0 } }).top).toBe(194);
    expect(insetsOf(390, { ...closed, cover: { top: 0, bottom: 180 } }).bottom).toBe(insetsOf(390, closed).bottom + 180);
    expect(insetsOf(1366, { ...closed, cover: { top: 180, bottom: 0 } })).toEqual(insetsOf(1366, closed));
  });
  it('gives a square table the whole height where dice and log fit beside it', () => {
    const square = { w: 48, h: 48 };
    expect(isAside(1920, 1080, square)).toBe(true);
    expect([isAside(1366, 768, square), isAside(1440, 900, square), isAside(1920, 1080, { w: 72, h: 48 }), isAside(1024, 600, square)]).toEqual([false, false, false, false]);
  });
  it('puts question and log below the table on a tablet held upright', () => {
    expect([isUpright(768, 1024), isUpright(1024, 768), isUpright(390, 844), isUpright(1366, 768)]).toEqual([true, false, false, false]);
    expect([isShort(390), isShort(360), isShort(720)]).toEqual([true, true, false]);
    for (const width of [844, 640]) expect(insetsOf(width, { ...closed, short: true }).bottom).toBeLessThan(insetsOf(width > 700 ? 640 : width, closed).bottom);
    expect(insetsOf(768, { ...closed, upright: true }).right).toBeLessThan(insetsOf(768, closed).right);
  });
  it('shows names in the list on all but small screens', () => {
    expect([isWide(1024), isWide(1280), isWide(1440)]).toEqual([false, true, true]);
  });
});
