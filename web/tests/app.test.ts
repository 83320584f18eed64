import { describe, expect, it, vi } from 'vitest';
import { leftOf, timeWords } from '../src/app/clock.svelte';
import { edgesOf, Frame, inches } from '../src/app/frame';
import { GameSocket, type Wire } from '../src/protocol/socket';
import type { BoardView, LineView, ServerMessage, StepView, UnitView } from '../src/protocol/types';
import { plan, turnBetween } from '../src/timeline/plan';
import { Player } from '../src/timeline/player.svelte';
import { boardAfter, indexOfSeq, linesUntil } from '../src/timeline/replay';

describe('frame', () => {
  it.each([false, true])('goes to the board and back (turned: %s)', (turned) => {
    const frame = new Frame(72_000, 48_000, turned);
    const stand = frame.stand([10_000, 5_000, 9_000, 0]);
    expect(frame.pose(stand)).toEqual([10_000, 5_000, 9_000, 0]);
    expect(frame.spot(frame.point(1234, 5678))).toEqual([1234, 5678]);
  });
  it('names the edges as they lie', () => {
    const [plain, turned] = [new Frame(72_000, 48_000, false), new Frame(72_000, 48_000, true)];
    expect([edgesOf(plain)[0], edgesOf(turned)[0]]).toEqual(['north', 'south']);
    expect(plain.point(36_000, 48_000)[1]).toBe(0); // the north edge lies at the top
    expect(turned.point(36_000, 0)[1]).toBe(0); // and the south edge once the table is turned
  });
  it('puts the first side below, and above when turned', () => {
    expect(new Frame(72_000, 48_000, false).point(0, 0)).toEqual([0, 48]);
    expect(new Frame(72_000, 48_000, true).point(0, 0)).toEqual([72, 0]);
  });
  it('says inches as people do', () => {
    expect([inches(6000), inches(4123), inches(0)]).toEqual(['6″', '4.1″', '0″']);
  });
});

const line = (text: string): LineView => ({ text, kind: '', cites: [], round: 1, side: 0, thrown: '' });
const unit = (id: number, over: Partial<UnitView> = {}): UnitView => ({ id, side: 0, seat: 0, name: `u${id}`, figures: [], badges: [], ...over }) as unknown as UnitView;
const board = (units: UnitView[], whole = false): BoardView => ({ whole, units, markers: [], zones: [], score: [], phase: 'battle', round: 1, turn: 0, acting: -1, finished: false, winner: null });
const step = (seq: number, over: Partial<StepView>): StepView => ({ seq, hash: `h${seq}`, seat: 0, actor: 'bot', events: [], lines: [], rolls: [], board: board([]), why: '', undone: false, at: '', void: 0, ...over });

describe('plan', () => {
  const moved = (id: number) => ({ event: 'moved', unit: id, poses: [], used: 0, how: 'advance', cite: '' }) as never;
  it('shows act, move and every roll in order, and says every line once', () => {
    const roll = { purpose: 'to_hit', title: 'To hit', seat: 0, side: 0, cite: '', pools: [] };
    const events = [{ event: 'activated', unit: 1, cite: '' }, moved(1), { event: 'rolled', purpose: 'to_hit', seat: 0, rolls: [], cite: '' }] as never[];
    const beats = plan(step(1, { events, rolls: [roll], lines: [line('a'), line('b'), line('c'), line('d')] }), 'normal');
    expect(beats.map((b) => b.kind)).toEqual(['act', 'move', 'roll']);
    expect(beats.flatMap((b) => b.lines.map((l) => l.text))).toEqual(['a', 'b', 'c', 'd']);
  });
  it('makes one way of two moves of a unit', () => {
    expect(plan(step(1, { events: [moved(1), moved(1)] }), 'normal')).toHaveLength(1);
  });
  it('puts an army down faster than it walks', () => {
    const [put] = plan(step(1, { events: [{ event: 'placed', unit: 1, poses: [], cite: '' } as never] }), 'normal');
    const [walk] = plan(step(1, { events: [moved(1)] }), 'normal');
    expect(put?.ms).toBeLessThan((walk?.ms ?? 0) / 2);
  });
  it('takes no time when told to be instant', () => {
    const beats = plan(step(1, { events: [moved(1)], lines: [line('x')] }), 'instant');
    expect(beats.reduce((s, b) => s + b.ms, 0)).toBe(0);
  });
  it('turns the short way round', () => {
    expect(turnBetween(35_000, 1_000, 0.5)).toBe(36_000);
    expect(turnBetween(1_000, 35_000, 1)).toBe(-1_000);
  });
});

describe('replay', () => {
  const steps = [step(1, { board: board([unit(1), unit(2)], true), lines: [line('one')] }), step(2, { board: board([unit(2, { name: 'changed' })]), lines: [line('two')] })];
  it('merges boards step by step', () => {
    expect(boardAfter(steps, 0)?.units.map((u) => u.name)).toEqual(['u1', 'u2']);
    expect(boardAfter(steps, 1)?.units.map((u) => u.name)).toEqual(['u1', 'changed']);
    expect(linesUntil(steps, 1).map((l) => l.text)).toEqual(['one', 'two']);
    expect(indexOfSeq(steps, 2)).toBe(1);
    expect(indexOfSeq(steps, 99)).toBe(1);
  });
});

describe('socket', () => {
  class Pipe implements Wire {
    sent: string[] = [];
    onopen: Wire['onopen'] = null;
    onmessage: Wire['onmessage'] = null;
    onclose: Wire['onclose'] = null;
    send(text: string): void {
      this.sent.push(text);
    }
    close(): void {
      this.onclose?.({} as CloseEvent);
    }
    hear(message: unknown): void {
      this.onmessage?.({ data: JSON.stringify(message) } as MessageEvent);
    }
    get messages(): { type: string; command_id?: string; last_seq?: number; id?: number }[] {
      return this.sent.map((text) => JSON.parse(text));
    }
  }
  const opened = () => {
    const pipes: Pipe[] = [];
    const heard: ServerMessage[] = [];
    const socket = new GameSocket('g', (m) => heard.push(m), () => {}, () => {
      const pipe = new Pipe();
      pipes.push(pipe);
      return pipe;
    });
    pipes[0]?.onopen?.({} as Event);
    return { socket, pipes, heard };
  };

  it('sends an unacknowledged command again, with the same id, after it lost the line', () => {
    vi.useFakeTimers();
    const { socket, pipes } = opened();
    socket.answer({ answer: 'pick', option: 'u1' });
    const first = pipes[0]?.messages.find((m) => m.type === 'answer')?.command_id;
    pipes[0]?.close();
    vi.advanceTimersByTime(500);
    pipes[1]?.onopen?.({} as Event);
    expect(pipes[1]?.messages.map((m) => m.type)).toEqual(['hello', 'answer']);
    expect(pipes[1]?.messages[1]?.command_id).toBe(first);
    pipes[1]?.hear({ type: 'accepted', command_id: first, seq: 1, hash: 'x' });
    expect(socket.waiting).toBe(false);
    vi.useRealTimers();
  });
  it('gives up a line that stays silent, or whose network went away, and sends the command on a new one', () => {
    vi.useFakeTimers();
    const { socket, pipes } = opened();
    socket.answer({ answer: 'pick', option: 'u1' });
    vi.advanceTimersByTime(14_000);
    expect(pipes).toHaveLength(1);
    vi.advanceTimersByTime(2_000);
    pipes[1]?.onopen?.({} as Event);
    expect(pipes[1]?.messages.map((m) => m.type)).toEqual(['hello', 'answer']);
    pipes[0]?.hear({ type: 'accepted', command_id: pipes[1]?.messages[1]?.command_id, seq: 1, hash: 'x' });
    expect(socket.waiting).toBe(true); // the old line has no say any more
    socket.hangUp();
    socket.redial();
    vi.advanceTimersByTime(500);
    pipes[2]?.onopen?.({} as Event);
    expect(pipes).toHaveLength(3);
    expect(pipes[2]?.messages.map((m) => m.type)).toEqual(['hello', 'answer']);
    vi.useRealTimers();
  });
  it('asks again every second while another server may take the game over, then less often', () => {
    vi.useFakeTimers();
    const { pipes } = opened();
    pipes[0]?.close();
    let ended = 1; // lines that were refused so far
    const tries = [5_000, 60_000].map((ms) => {
      const before = pipes.length;
      for (let passed = 0; passed < ms; passed += 10) {
        vi.advanceTimersByTime(10);
        if (pipes.length > ended) pipes[ended++]?.close();
      }
      return pipes.length - before;
    });
    expect(tries[0]).toBeGreaterThanOrEqual(4);
    expect(tries[1]).toBeLessThan(16);
    vi.useRealTimers();
  });
  it('says hello with what it has, and hears no step twice', () => {
    const { socket, pipes, heard } = opened();
    pipes[0]?.hear({ type: 'steps', steps: [step(4, {}), step(5, {})], question: null, status: 'running', can_undo: false });
    pipes[0]?.hear({ type: 'steps', steps: [step(5, {}), step(6, {})], question: null, status: 'running', can_undo: false });
    expect(heard.flatMap((m) => (m.type === 'steps' ? m.steps.map((s) => s.seq) : []))).toEqual([4, 5, 6]);
    expect([socket.seq, socket.hash]).toEqual([6, 'h6']);
  });
  it('hands replies to whom asked, and null where the server refused', async () => {
    const { socket, pipes } = opened();
    const [one, two] = [socket.ask({ type: 'hint' }), socket.ask({ type: 'hint' })];
    const ids = pipes[0]?.messages.filter((m) => m.type === 'hint').map((m) => m.id);
    pipes[0]?.hear({ type: 'refused', code: 'too_fast', reasons: [], seq: 1, hash: '', command_id: '', id: ids?.[1] });
    pipes[0]?.hear({ type: 'hinted', id: ids?.[0], seq: 1, answer: null, why: 'because' });
    expect(await one).toMatchObject({ why: 'because' });
    expect(await two).toBeNull();
  });
});

describe('clock', () => {
  it('counts on for the side that is to answer, and never below nothing', () => {
    const clock = { kind: 'game' as const, left: [60_000, 5_000], running: 1, words: '', at: 1000 };
    expect([leftOf(clock, 0, 9000), leftOf(clock, 1, 3000), leftOf(clock, 1, 9000)]).toEqual([60_000, 3_000, 0]);
  });
  it('is read at a glance', () => {
    expect([500, 61_000, 3_600_000, 12 * 3_600_000, 50 * 3_600_000].map(timeWords)).toEqual(['0:01', '1:01', '1:00:00', '12 h 0 min', '2 d 2 h']);
  });
});

describe('player', () => {
  const roll = (title: string) => ({ purpose: title, title, seat: 0, side: 0, cite: '', pools: [] });
  const rolled = { event: 'rolled', purpose: 'to_hit', seat: 0, rolls: [], cite: '' } as never;
  const acts = (id: number) => ({ event: 'activated', unit: id, cite: '' }) as never;
  it('keeps the dice of one activation together, and says why a bot acts', async () => {
    const player = await new Promise<Player>((done) => {
      const made: Player = new Player(() => done(made));
      made.speed = 'instant';
      made.reset(board([unit(1), unit(2)], true), []);
      made.play([
        step(1, { events: [acts(1), rolled, rolled], rolls: [roll('one'), roll('two')], lines: [line('hit')], why: 'because' }),
        step(2, { events: [acts(2), rolled], rolls: [roll('three')], lines: [line('missed')], why: 'because' }),
      ]);
    });
    expect(player.rolls.map((r) => r.title)).toEqual(['three']);
    expect(player.lines.map((l) => l.text)).toEqual(['because', 'hit', 'missed']);
  });
  it('forgets what was taken back, as often as that happens', async () => {
    const player = await new Promise<Player>((done) => {
      const made: Player = new Player(() => done(made));
      made.speed = 'instant';
      made.reset(board([unit(1)], true), [line('before')]);
      const back = (seq: number, gone: number) => step(seq, { undone: true, void: gone, actor: 'person', lines: [line('Ann took back a move.')] });
      made.play([step(1, { lines: [line('went left')] }), back(2, 1)]);
      made.chat('Bram', 'sure?');
      made.play([step(3, { lines: [line('went right')] }), back(4, 2), step(5, { lines: [line('went on')] })]);
    });
    expect(player.lines.map((l) => l.text).filter((text) => !text.startsWith('Bram'))).toEqual(['before', 'Ann took back a move.', 'went on']);
    expect(player.lines.map((l) => l.text)).toContain('Bram: sure?'); // what people said stays
  });
});
