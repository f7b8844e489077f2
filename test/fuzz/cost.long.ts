import { describeCostFuzz } from './cost-property.js';
import { describeTextCostFuzz } from './texts-cost-property.js';

describeCostFuzz(true);

describe('random texts and values', () => describeTextCostFuzz(true));
