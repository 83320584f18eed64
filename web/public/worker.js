/* Keeps the page itself at hand, so that it opens and waits when the line is down, and what was read in Learn, so that it
   can be read again. What the server says about games is never kept: it is asked for anew as soon as there is a line. */

const KEPT = 'shieldwall-page';
const SHELL = ['/', '/theme.js', '/icon.svg', '/icon-192.png', '/manifest.webmanifest'];
const READ = /^\/api\/(learn|lessons|campaigns|editions|rules)(\/[^/]+)?$/;

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(KEPT).then((cache) => cache.addAll(SHELL)).then(() => self.skipWaiting()));
});

self.addEventListener('activate', (event) => {
  event.waitUntil(self.clients.claim());
});

/** "Your turn" leads to its game: to the tab that shows it, or to a new one. */
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const path = `/game/${event.notification.data?.game ?? ''}`;
  const found = self.clients.matchAll({ type: 'window' }).then((open) => open.find((one) => new URL(one.url).pathname === path));
  event.waitUntil(found.then((tab) => (tab ? tab.focus() : self.clients.openWindow(path))));
});

/** Fresh from the server where it answers, else what was kept. */
async function fresh(request, name) {
  const cache = await caches.open(KEPT);
  try {
    const answer = await fetch(request);
    if (answer.ok) await cache.put(name, answer.clone());
    return answer;
  } catch (error) {
    const kept = await cache.match(name);
    if (kept) return kept;
    throw error;
  }
}

/** Parts whose names change with what is in them are kept for good. */
async function kept(request) {
  const cache = await caches.open(KEPT);
  const found = await cache.match(request);
  if (found) return found;
  const answer = await fetch(request);
  if (answer.ok) await cache.put(request, answer.clone());
  return answer;
}

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (request.method !== 'GET' || address.origin !== self.location.origin) return;
  const isSearch = address.searchParams.has('words');
  if (address.pathname.startsWith('/api/') && (isSearch || !READ.test(address.pathname))) return;
  if (request.mode === 'navigate') event.respondWith(fresh(request, '/'));
  else if (address.pathname.startsWith('/assets/')) event.respondWith(kept(request));
  else event.respondWith(fresh(request, address.pathname + address.search));
});
