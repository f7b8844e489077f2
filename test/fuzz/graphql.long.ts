import { describeGraphqlFuzz } from './graphql-property.js';

describeGraphqlFuzz(true);
