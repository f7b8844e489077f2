import { describeRestFuzz } from './rest-property.js';

describeRestFuzz(true);
