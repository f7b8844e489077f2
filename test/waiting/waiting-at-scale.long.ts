import { waitAtScale } from './waiting-at-scale.js';

waitAtScale(10_000, 600_000);
