import { describeDoorFuzz } from './doors-property.js';

describeDoorFuzz(false);
