import { raceCalls } from './call-races.js';

raceCalls(1);
