import { describeCostFuzz } from './cost-property.js';

describeCostFuzz(true);
