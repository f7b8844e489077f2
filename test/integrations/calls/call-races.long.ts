import { scaled } from '../../support/runner/long-scale.js';
import { raceCalls } from './call-races.js';

raceCalls(scaled(20, 2));
