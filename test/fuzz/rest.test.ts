import { describeRestFuzz } from './rest-property.js';

describeRestFuzz(false);
