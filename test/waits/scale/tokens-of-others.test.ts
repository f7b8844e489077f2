import { useOwnTokens } from './tokens-of-others.js';

useOwnTokens(3);
