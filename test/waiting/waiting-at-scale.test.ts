import { waitAtScale } from './waiting-at-scale.js';

waitAtScale(300, 60_000);
