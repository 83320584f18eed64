import { mount } from 'svelte';
import App from './app/App.svelte';
import './styles/tokens.css';
import './styles/base.css';
import './styles/pages.css';
import './styles/battle.css';
import sprite from './styles/symbols.svg?raw';

document.body.insertAdjacentHTML('afterbegin', sprite);
const target = document.getElementById('app');
if (target) mount(App, { target });
// the page opens without a line, too; where the browser keeps none of it, it works as before
if ('serviceWorker' in navigator && import.meta.env.PROD) void navigator.serviceWorker.register('/worker.js').catch(() => null);
