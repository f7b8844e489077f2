/** What the headers editor opens with. The dots are not a key: nothing is sent until they are replaced. */
export const HEADERS = `{
  "Authorization": "Bearer wfk_..."
}`;

const BY_SESSION = `# Press the run button, choose an operation.
#
# You ask as who is signed in to the dashboard.
# To ask with an API key instead, put it under
# "Headers", below:
#   { "Authorization": "Bearer wfk_..." }`;

const BY_KEY = `# 1. Sign in, above; or put your API key under
#    "Headers", below.
# 2. Press the run button, choose an operation.
#
# The key stays in this page's memory: it is
# gone when you reload. Make one with
#   npm run --silent keys -- create \\
#     --label graphiql --scope read-write`;

/** What the editor opens with: how to begin, a query, a mutation and two subscriptions, chosen with the run button. */
export const examples = ({ signedIn }) => `${signedIn ? BY_SESSION : BY_KEY}

query Workflows {
  workflows(page: 1, perPage: 20) {
    items {
      id
      name
      status
      runCount
      updatedAt
    }
    meta {
      total
    }
  }
}

mutation Connect {
  connectIntegration(
    input: { type: "sandbox_oauth" }
  ) {
    ... on IntegrationAuthorization {
      # Open it in another tab while
      # "Connections" runs in this one.
      redirectUrl
      integrationId
    }
    ... on Integration {
      id
      status
    }
  }
}

# Every change of every connection, from now
# on, over a WebSocket.
subscription Connections {
  integrationStatusChanged {
    integration {
      id
      name
    }
    previousStatus
    status
    reason
    at
  }
}

subscription Runs {
  runStatusChanged {
    run {
      id
      workflowId
    }
    previousStatus
    status
    at
  }
}
`;
