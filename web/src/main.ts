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
