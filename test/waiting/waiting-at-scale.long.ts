import { scaled } from '../support/long-scale.js';
import { waitAtScale } from './waiting-at-scale.js';

waitAtScale(scaled(10_000, 150));
