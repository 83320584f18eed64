/* Telling a player that it is their turn: the title of the tab, a sound, a notification. Sounds are off at first. */

import { remember, remembered } from './memory';

export type Sound = 'dice' | 'charge' | 'turn' | 'won';

/** Each sound as notes: what vibrates, from which pitch to which, when it begins and how long it lasts, in seconds. */
const NOTES: Record<Sound, { wave: OscillatorType | 'rattle'; from: number; to: number; at: number; long: number; loud: number }[]> = {
  dice: [0, 0.06, 0.11, 0.19, 0.24].map((at, i) => ({ wave: 'rattle', from: 1800 - i * 180, to: 900, at, long: 0.045, loud: 0.5 - i * 0.07 })),
  charge: [
    { wave: 'sawtooth', from: 196, to: 196, at: 0, long: 0.16, loud: 0.16 },
    { wave: 'sawtooth', from: 294, to: 294, at: 0.16, long: 0.34, loud: 0.2 },
  ],
  turn: [
    { wave: 'sine', from: 587, to: 587, at: 0, long: 0.16, loud: 0.22 },
    { wave: 'sine', from: 880, to: 880, at: 0.13, long: 0.3, loud: 0.2 },
  ],
  won: [392, 523, 659, 784].map((pitch, i) => ({ wave: 'triangle', from: pitch, to: pitch, at: i * 0.14, long: 0.4, loud: 0.22 })),
};

class Alerts {
  sounds = $state(remembered('sounds', 'off') === 'on');
  notes = $state(remembered('notify', 'off') === 'on');
  #context: AudioContext | null = null;

  setSounds(on: boolean): void {
    this.sounds = on;
    remember('sounds', on ? 'on' : 'off');
    if (on) this.play('turn');
  }

  /** Ask the browser; what it says counts. */
  async setNotes(on: boolean): Promise<void> {
    const may = on && 'Notification' in window ? await Notification.requestPermission() : 'denied';
    this.notes = may === 'granted';
    remember('notify', this.notes ? 'on' : 'off');
  }

  play(sound: Sound): void {
    if (!this.sounds || !('AudioContext' in window)) return;
    this.#context ??= new AudioContext();
    const context = this.#context;
    void context.resume();
    for (const note of NOTES[sound]) {
      const start = context.currentTime + note.at;
      const gain = context.createGain();
      gain.gain.setValueAtTime(note.loud, start);
      gain.gain.exponentialRampToValueAtTime(0.001, start + note.long);
      gain.connect(context.destination);
      const source = note.wave === 'rattle' ? this.#rattle(context, note.from) : tone(context, note.wave, note.from, note.to, start, note.long);
      source.out.connect(gain);
      source.node.start(start);
      source.node.stop(start + note.long);
    }
  }

  /** A short burst of noise in one band: a die on wood. */
  #rattle(context: AudioContext, pitch: number): { node: AudioScheduledSourceNode; out: AudioNode } {
    const buffer = context.createBuffer(1, Math.ceil(context.sampleRate * 0.06), context.sampleRate);
    const data = buffer.getChannelData(0);
    for (let i = 0; i < data.length; i++) data[i] = Math.random() * 2 - 1;
    const node = context.createBufferSource();
    node.buffer = buffer;
    const band = context.createBiquadFilter();
    band.type = 'bandpass';
    band.frequency.value = pitch;
    node.connect(band);
    return { node, out: band };
  }

  /** It is the player's turn: said in the tab's title, aloud, and to whoever looks elsewhere. */
  turn(title: string, words: string, game: string): void {
    document.title = `● Your turn · ${title}`;
    this.play('turn');
    if (!document.hidden || !this.notes || !('Notification' in window) || Notification.permission !== 'granted') return;
    void this.#notify(words, game);
  }

  /** Through the page's worker where it has one: phones take notifications from nobody else, and a click opens the game. */
  async #notify(words: string, game: string): Promise<void> {
    const what: NotificationOptions = { body: words, tag: game, icon: '/icon-192.png', data: { game } };
    const worker = await navigator.serviceWorker?.getRegistration().catch(() => undefined);
    if (worker?.active) return worker.showNotification('Your turn', what);
    const note = new Notification('Your turn', what);
    note.onclick = () => {
      window.focus();
      note.close();
    };
  }

  rest(title: string): void {
    document.title = title;
  }
}

function tone(context: AudioContext, wave: OscillatorType, from: number, to: number, start: number, long: number): { node: AudioScheduledSourceNode; out: AudioNode } {
  const node = context.createOscillator();
  node.type = wave;
  node.frequency.setValueAtTime(from, start);
  node.frequency.linearRampToValueAtTime(to, start + long);
  return { node, out: node };
}

export const alerts = new Alerts();
