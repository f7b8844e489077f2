import { describeCostFuzz } from './cost-property.js';

describeCostFuzz(false);
