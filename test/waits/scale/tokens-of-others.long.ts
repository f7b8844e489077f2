import { scaled } from '../../support/runner/long-scale.js';
import { useOwnTokens } from './tokens-of-others.js';

useOwnTokens(scaled(200, 5));
