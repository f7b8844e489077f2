import { scaled } from '../../support/runner/long-scale.js';
import { raceListeners } from './listener-races.js';

raceListeners(scaled(100, 2));
