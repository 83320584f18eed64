/* The HTTP side of the server. Every refusal becomes a `Refusal` with the server's own words. */

import type { Problem } from './types';

export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly reasons: readonly { text: string; cite: string }[],
  ) {
    super(reasons.map((r) => sentence(r.text)).join(' ') || `The server answered with status ${status}.`);
  }
}

/** The server's reasons are parts of sentences; shown alone they are whole ones. */
const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?…:]$/.test(text) ? '' : '.');

const PATIENCE = [500, 1200, 2500]; // milliseconds between tries while the server is busy

async function ask<T>(method: string, path: string, body?: unknown, tried = 0): Promise<T> {
  let reply: Response;
  try {
    reply = await fetch(path, {
      method,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
      credentials: 'same-origin',
    });
  } catch {
    throw new Refusal(0, 'offline', [{ text: 'The server cannot be reached. Is it still running? Try again in a moment.', cite: '' }]);
  }
  const pause = PATIENCE[tried];
  if (reply.status === 429 && pause !== undefined) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    return ask<T>(method, path, body, tried + 1);
  }
  if (reply.status === 204) return undefined as T;
  const text = await reply.text();
  const data: unknown = parsed(text);
  if (!reply.ok) throw refusal(reply.status, data);
  return data as T;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function refusal(status: number, data: unknown): Refusal {
  const problem = data as Partial<Problem> | null;
  if (problem && typeof problem === 'object' && Array.isArray(problem.reasons)) return new Refusal(status, problem.code ?? '', problem.reasons);
  return new Refusal(status, '', [{ text: `The server answered with status ${status}.`, cite: '' }]);
}

export const get = <T>(path: string): Promise<T> => ask<T>('GET', path);
export const post = <T>(path: string, body: unknown): Promise<T> => ask<T>('POST', path, body);
export const put = <T>(path: string, body: unknown): Promise<T> => ask<T>('PUT', path, body);
export const remove = <T>(path: string): Promise<T> => ask<T>('DELETE', path);

/** The player's own part of the dice key: 32 hexadecimal digits from the browser's random source. */
export function nonce(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((b) => b.toString(16).padStart(2, '0')).join('');
}

export function commandId(): string {
  return nonce();
}
