import { describeCostFuzz } from './cost-property.js';
import { describeTextCostFuzz } from './texts-cost-property.js';

describeCostFuzz(false);

describe('random texts and values', () => describeTextCostFuzz(false));
