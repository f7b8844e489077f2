import { describeCostFuzz } from './cost-property.js';
import { describeRequestCostFuzz } from './requests-cost-property.js';
import { describeTextCostFuzz } from './texts-cost-property.js';

describeCostFuzz(false);
describeRequestCostFuzz(false);

describe('random texts and values', () => describeTextCostFuzz(false));
