import { describe, expect, it } from 'vitest';
import { Draft, type Wish } from '../src/app/draft.svelte';
import { Frame } from '../src/app/frame';
import { castKey } from '../src/app/late.svelte';
import { buttonWords } from '../src/app/battle/words';
import type { AnyAnswer, Previewed, Question, SpellView, UnitView } from '../src/protocol/types';

const frame = new Frame(72_000, 48_000, false);
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

/** A question for a marker, on a table whose south 12 inches are forbidden. */
function marker(): { draft: Draft; asked: Wish[]; question: Question } {
  const asked: Wish[] = [];
  const question = { kind: 'marker', unit: -1, form: { form: 'spot', spots: [] }, default: { answer: 'spot', x: 36_000, y: 24_000 }, default_label: '' } as unknown as Question;
  const preview = async (wish: Wish): Promise<Previewed> => {
    asked.push(wish);
    const legal = wish.answer?.answer === 'spot' && wish.answer.y > 12_000;
    return { legal, reasons: [], targets: [] } as unknown as Previewed;
  };
  return { draft: new Draft(question, { frame, unit: () => undefined, preview }), asked, question };
}

describe('a spot for a marker', () => {
  it('can be put elsewhere after it was refused', async () => {
    const { draft, asked, question } = marker();
    draft.setSpot([10, 44]); // four inches from the south edge
    await settle();
    expect(draft.answer).toBeNull();
    expect(buttonWords(question, draft.touched, false, draft.isStuck)).toBe('Not possible here');
    draft.setSpot([10, 20]);
    await settle();
    expect(asked).toHaveLength(2);
    expect(draft.answer).toEqual({ answer: 'spot', x: 10_000, y: 28_000 });
  });
  it('is not sent before it was judged, and goes as soon as it was', async () => {
    const { draft } = marker();
    let sent = 0;
    draft.setSpot([10, 20]);
    expect(draft.answer).toBeNull();
    expect(draft.afterJudgement(() => sent++)).toBe(true);
    await settle();
    expect(sent).toBe(1);
  });
  it('is the default until something was tried, and again after one step back', async () => {
    const { draft } = marker();
    expect(draft.answer).toEqual({ answer: 'spot', x: 36_000, y: 24_000 });
    draft.setSpot([10, 44]);
    await settle();
    draft.restart();
    expect(draft.answer).toEqual({ answer: 'spot', x: 36_000, y: 24_000 });
  });
});

describe('a move that is dragged too far', () => {
  const question = { kind: 'path', unit: 0, form: { form: 'move', unit: 0, how: 'block', allowance: 6000, models: [], reach: [] }, default: { answer: 'march', legs: [] }, default_label: 'Stay here' } as unknown as Question;
  const unit = { id: 0, figures: [], centre: [36_000, 6_000, 0, 0] } as unknown as UnitView;
  const draftThat = (answer: AnyAnswer, used: number): Draft => new Draft(question, { frame, unit: () => unit, preview: async () => ({ legal: false, answer, used, allowance: 6000, left: 6000 - used, reasons: [], targets: [] }) as unknown as Previewed });
  const words = (draft: Draft): string => buttonWords(question, draft.touched, draft.preview?.legal ?? true, draft.isStuck, draft.staysPut);
  it('says where it would go instead, and says so where that is nowhere', async () => {
    const near = draftThat({ answer: 'march', legs: [{ kind: 'forward', amount: 3000 }] } as unknown as AnyAnswer, 3000);
    near.moveTo({ x: 36, y: 20, heading: 0 });
    await settle();
    expect([near.isShort, words(near)]).toEqual([true, 'Move as close as possible']);
    const barred = draftThat({ answer: 'march', legs: [] }, 0);
    barred.moveTo({ x: 36, y: 20, heading: 0 });
    await settle();
    expect([barred.isShort, words(barred)]).toEqual([true, 'Stay here']);
  });
  it('knows where the unit itself stands, wherever its ghost is', async () => {
    const draft = draftThat({ answer: 'march', legs: [] }, 0);
    draft.moveTo({ x: 50, y: 20, heading: 0 });
    await settle();
    expect(draft.origin).toMatchObject({ x: 36, y: 42 });
    expect(draft.stand).toMatchObject({ x: 50, y: 20 });
  });
});

describe('odds that come after the question', () => {
  const question = {
    kind: 'charge_target',
    unit: 0,
    form: { form: 'pick', options: [{ key: 'u1', unit: 1, legal: true, odds: { expected: 2 }, odds_later: false }, { key: 'u2', unit: 2, legal: true, odds: null, odds_later: true }, { key: 'u3', unit: 3, legal: true, odds: null, odds_later: true }] },
    default: { answer: 'pick', option: 'u1' },
    default_label: '',
  } as unknown as Question;
  const options = question.form?.form === 'pick' ? question.form.options : [];

  it('are asked for one by one, show that they are waited for, and may stay away', async () => {
    const asked: Wish[] = [];
    const preview = async (wish: Wish): Promise<Previewed> => {
      asked.push(wish);
      const known = wish.answer?.answer === 'pick' && wish.answer.option === 'u2';
      return { legal: true, reasons: [], targets: known ? [{ unit: 2, odds: { expected: 4 } }] : [] } as unknown as Previewed;
    };
    const draft = new Draft(question, { frame, unit: () => undefined, preview });
    expect([...draft.late.known]).toEqual([['u2', null], ['u3', null]]);
    await settle();
    expect(asked.map((w) => [w.answer?.answer === 'pick' ? w.answer.option : '', w.patient])).toEqual([['u2', true], ['u3', true]]);
    expect(options.map((o) => draft.late.of(o)?.expected)).toEqual([2, 4, undefined]);
    expect(draft.late.known.has('u3')).toBe(false);
  });
  it('are not asked for once the question is answered', async () => {
    let asked = 0;
    const preview = async (): Promise<null> => {
      asked++;
      return null;
    };
    const draft = new Draft(question, { frame, unit: () => undefined, preview });
    draft.drop();
    await settle();
    expect(asked).toBe(1);
  });
});

describe('chances of spells that come after the question', () => {
  const later = (form: object): Question => ({ kind: 'cast', unit: 0, form, default: null, default_label: '' }) as unknown as Question;
  const asking = (question: Question): { draft: Draft; asked: Wish[] } => {
    const asked: Wish[] = [];
    const preview = async (wish: Wish): Promise<Previewed> => {
      asked.push(wish);
      const tokens = wish.answer?.answer === 'bid' ? wish.answer.tokens : 0;
      return { legal: true, reasons: [], targets: [], casting: { works: 0.5 + tokens / 10, chance: '50 % to work', needs: '4+ on 1 die', odds: { expected: 1.5 } } } as unknown as Previewed;
    };
    return { draft: new Draft(question, { frame, unit: () => undefined, preview }), asked };
  };
  it('are asked for where the spell, or one of its targets, came without', async () => {
    const bolt = { caster: 7, spell: 'Bolt', targets: [1, 2], works: 0.5, chance: 'known', needs: '', odds: [{ expected: 2 }, null] } as unknown as SpellView;
    const ward = { caster: 7, spell: 'Ward', targets: [3], works: -1, chance: '', needs: '', odds: [] } as unknown as SpellView;
    const { draft, asked } = asking(later({ form: 'cast', unit: 0, spells: [bolt, ward] }));
    expect([draft.late.isAwaited(castKey(bolt, 0)), draft.late.isAwaited(castKey(bolt, 1)), draft.late.isAwaited(castKey(ward, 0)), draft.late.chance(ward)]).toEqual([false, true, true, null]);
    await settle();
    expect(asked.map((w) => [w.answer, w.patient])).toEqual([
      [{ answer: 'cast', model: 7, spell: 'Bolt', targets: [2] }, true],
      [{ answer: 'cast', model: 7, spell: 'Ward', targets: [3] }, true],
    ]);
    expect([draft.late.chance(bolt)?.chance, draft.late.chance(ward)?.chance]).toEqual(['known', '50 % to work']);
    expect([draft.late.spell(bolt, 0)?.expected, draft.late.spell(bolt, 1)?.expected]).toEqual([2, 1.5]);
  });
  it('are asked for by number of tokens, and not where they came with the question', async () => {
    const { draft } = asking(later({ form: 'bid', low: -1, high: 2, chances: [] }));
    expect(draft.late.bid(draft.tokens)).toBeNull();
    await settle();
    draft.tokens = 2;
    expect(draft.late.bid(draft.tokens)).toBeCloseTo(0.7);
    const { asked, draft: known } = asking(later({ form: 'bid', low: 0, high: 1, chances: [0.5, 0.6] }));
    await settle();
    expect([asked.length, known.late.bid(0)]).toEqual([0, 0.5]);
  });
});

describe('a leap between ledges', () => {
  it('is asked for with the way that was tried, and taken back with it', async () => {
    const asked: Wish[] = [];
    const moving = { kind: 'path', unit: 0, form: { form: 'move', unit: 0, how: 'loose', leaps: true }, default: { answer: 'walk', paths: [] }, default_label: '' } as unknown as Question;
    const preview = async (wish: Wish): Promise<Previewed> => {
      asked.push(wish);
      return { legal: true, reasons: [], targets: [], answer: { answer: 'walk', paths: [] } } as unknown as Previewed;
    };
    const draft = new Draft(moving, { frame, unit: () => undefined, preview });
    draft.moveTo({ x: 10, y: 20, heading: 0 });
    await settle();
    draft.setLeap(true);
    await settle();
    expect(asked.slice(-2).map((w) => [w.drag, w.leap ?? false])).toEqual([[[10_000, 28_000, 0, 0], false], [[10_000, 28_000, 0, 0], true]]);
    draft.restart();
    expect(draft.leap).toBe(false);
  });
});

describe('an activation that is planned', () => {
  const option = (unit: number) => ({ key: `u${unit}`, label: `unit ${unit}`, unit, legal: true, reasons: [] });
  const question = { kind: 'activate', unit: -1, plans: true, form: { form: 'pick', options: [option(1), option(2)] }, default: { answer: 'pick', option: 'u1' } } as unknown as Question;
  const walk = { answer: 'walk', paths: [] } as unknown as AnyAnswer;
  /** A server that reads an advance up to six inches and a rush beyond. */
  function plans(): { draft: Draft; asked: Wish[] } {
    const asked: Wish[] = [];
    const preview = async (wish: Wish): Promise<Previewed> => {
      asked.push(wish);
      const used = wish.drag ? wish.drag[1] - 6000 : 0;
      const action = wish.action || (used > 6000 ? 'rush' : used ? 'advance' : 'hold');
      const answers = [{ kind: 'activate', answer: { answer: 'pick', option: `u${wish.unit}` } }, { kind: 'action', answer: { answer: 'pick', option: action } }];
      const plan = { unit: wish.unit, action, actions: [{ key: action, label: action, legal: true }], answers, moves: true, how: 'loose', pivot: 0, target: wish.target === -1 ? 9 : wish.target, reach: [], leaps: false };
      return { legal: true, used, allowance: 12_000, left: 0, answer: walk, reasons: [], targets: [{ unit: 9, legal: true }], plan } as unknown as Previewed;
    };
    const unit = { id: 2, figures: [{ id: 1, at: [36_000, 6_000, 0, 0] }], centre: null } as unknown as UnitView;
    return { draft: new Draft(question, { frame, unit: () => unit, preview }), asked };
  }
  it('follows the hand from one action to the next, and sends everything at once', async () => {
    const { draft, asked } = plans();
    await settle();
    expect(asked.at(-1)).toMatchObject({ unit: 1, action: '' });
    draft.chooseUnit(2);
    draft.moveTo({ x: 36, y: 38, heading: 0 });
    await settle();
    expect([draft.plan?.action, draft.picked]).toEqual(['advance', 'u2']);
    draft.moveTo({ x: 36, y: 32, heading: 0 });
    expect(draft.answers).toBeNull(); // not before it was judged
    await settle();
    expect(draft.answers?.map((a) => a.kind)).toEqual(['activate', 'action']);
    expect(draft.plan?.action).toBe('rush');
  });
  it('keeps an action that was set by hand, and a target that was chosen', async () => {
    const { draft } = plans();
    draft.setAction('rush');
    draft.moveTo({ x: 36, y: 40, heading: 0 });
    await settle();
    expect(draft.plan?.action).toBe('rush');
    expect(draft.planAt(7)).toBe(false);
    expect(draft.planAt(-2)).toBe(true);
    await settle();
    expect(draft.plan?.target).toBe(-2);
  });
  it('plays a suggestion as it came, until something is changed', async () => {
    const { draft } = plans();
    draft.awaiting = true;
    let sent = 0;
    expect(draft.afterSuggestion(() => sent++)).toBe(true);
    const answers = [{ kind: 'activate', answer: { answer: 'pick', option: 'u2' } }, { kind: 'action', answer: { answer: 'pick', option: 'rush' } }, { kind: 'path', answer: walk }] as never;
    draft.suggest({ type: 'hinted', id: 1, seq: 1, answers, why: 'Rush to marker 1.' });
    await settle();
    expect(sent).toBe(1);
    expect(draft.answers).toBe(answers);
    draft.chooseUnit(1);
    await settle();
    expect(draft.answers).not.toBe(answers);
    draft.restart();
    expect(draft.answers).toBe(answers);
  });
  it('may be left for another turn, where a rule says so, and taken up again', async () => {
    const pass = { key: 'pass2', label: 'unit 2: pass the turn', unit: -1, legal: true, reasons: [] };
    const asking = { ...question, form: { form: 'pick', options: [option(1), option(2), pass] } } as unknown as Question;
    const preview = async (): Promise<Previewed> => ({ legal: true, reasons: [], targets: [] }) as unknown as Previewed;
    const draft = new Draft(asking, { frame, unit: () => undefined, preview });
    draft.pick('pass2');
    expect([draft.planned, draft.answers, draft.answer]).toEqual([null, null, { answer: 'pick', option: 'pass2' }]);
    expect(draft.tapUnit(1, false)).toBe(false); // a click does not send it: its activation is planned
    expect([draft.planned?.unit, draft.picked]).toEqual([1, 'u1']);
  });
});
