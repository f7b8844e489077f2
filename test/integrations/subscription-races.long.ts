import { scaled } from '../support/long-scale.js';
import { raceListeners } from './listener-races.js';

raceListeners(scaled(100, 2));
