import { describeGraphqlFuzz } from './graphql-property.js';

describeGraphqlFuzz(false);
