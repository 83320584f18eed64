import { describe, expect, it } from 'vitest';
import { Draft, type Wish } from '../src/app/draft.svelte';
import { Frame } from '../src/app/frame';
import { buttonWords } from '../src/app/battle/words';
import type { Previewed, Question } from '../src/protocol/types';

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
