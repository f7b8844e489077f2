import { answerAtScale } from './answered-at-scale.js';

answerAtScale('callback', 120);
answerAtScale('connection', 60);
