/* Addresses of the pages; the server answers each of them with the same document. */

export type Route =
  | { page: 'home' }
  | { page: 'setup' }
  | { page: 'game'; game: string }
  | { page: 'result'; game: string }
  | { page: 'join'; invite: string }
  | { page: 'armies' }
  | { page: 'army'; army: string }
  | { page: 'odds' }
  | { page: 'rules' }
  | { page: 'learn'; topic: string }
  | { page: 'campaign'; campaign: string }
  | { page: 'puzzles' }
  | { page: 'lost' };

/** A part of an address as it was meant; one that is badly spelled stays as it is. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function routeOf(path: string, hash: string): Route {
  const [first = '', second = ''] = path.split('/').filter(Boolean).map(decoded);
  if (!first) return { page: 'home' };
  if (first === 'game' && second) return { page: 'game', game: second };
  if (first === 'result' && second) return { page: 'result', game: second };
  if (first === 'join') return { page: 'join', invite: hash.replace(/^#/, '') };
  if (first === 'armies') return second ? { page: 'army', army: second } : { page: 'armies' };
  if (first === 'setup') return { page: 'setup' };
  if (first === 'odds') return { page: 'odds' };
  if (first === 'rules') return { page: 'rules' };
  if (first === 'campaign') return { page: 'campaign', campaign: second };
  if (first === 'puzzles') return { page: 'puzzles' };
  if (first === 'learn') return { page: 'learn', topic: second };
  return { page: 'lost' };
}

class Router {
  route = $state.raw<Route>(routeOf(location.pathname, location.hash));
  search = $state(location.search);

  constructor() {
    addEventListener('popstate', () => this.#read());
    addEventListener('hashchange', () => this.#read());
  }

  go(path: string, replace = false): void {
    if (replace) history.replaceState(null, '', path);
    else history.pushState(null, '', path);
    this.#read();
    scrollTo(0, 0);
  }

  #read(): void {
    this.route = routeOf(location.pathname, location.hash);
    this.search = location.search;
  }
}

export const router = new Router();

/** Links stay links: only a plain click is taken over. */
export function follow(event: MouseEvent): void {
  const anchor = event.target instanceof Element ? event.target.closest('a') : null;
  if (!anchor || anchor.target || anchor.hasAttribute('download') || anchor.origin !== location.origin) return;
  if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  if (anchor.pathname.startsWith('/api/')) return;
  event.preventDefault();
  router.go(anchor.pathname + anchor.search + anchor.hash);
}
