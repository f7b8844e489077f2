import { raceListeners } from './listener-races.js';

raceListeners(10);
