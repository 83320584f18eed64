/* Whether a coach has a word before moves that throw much away: off unless wanted, and remembered. */

import { remember, remembered } from './memory';

class Coach {
  on = $state(remembered('coach', 'off') === 'on');

  toggle(): void {
    this.on = !this.on;
    remember('coach', this.on ? 'on' : 'off');
  }
}

export const coach = new Coach();
