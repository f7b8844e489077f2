import { describeSubscriptionFuzz } from './subscriptions-property.js';

describeSubscriptionFuzz(true);
