import { scaled } from '../support/runner/long-scale.js';
import { waitAtScale } from './waiting-at-scale.js';

waitAtScale(scaled(10_000, 150));
