import { scaled } from '../../support/runner/long-scale.js';
import { answerAtScale } from './answered-at-scale.js';

answerAtScale('callback', scaled(10_000, 100));
answerAtScale('connection', scaled(10_000, 60));
