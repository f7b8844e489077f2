import { waitAtScale } from './waiting-at-scale.js';

waitAtScale(300);
