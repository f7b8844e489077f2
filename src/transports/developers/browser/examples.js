/** The initial text of the headers editor. The dots are a placeholder: no request is sent until they are replaced. */
export const HEADERS = `{
  "Authorization": "Bearer wfk_..."
}`;

const BY_SESSION = `# Press the run button and choose an operation.
#
# Requests use your session of the dashboard.
# To use an API key instead, enter it under
# "Headers", below:
#   { "Authorization": "Bearer wfk_..." }`;

const BY_KEY = `# 1. Sign in above, or enter your API key under
#    "Headers" below.
# 2. Press the run button and choose an operation.
#
# The key stays in this page's memory only, until
# you reload. Create one with
#   npm run --silent keys -- create \\
#     --label graphiql --scope read-write`;

/**
 * The initial text of the editor: how to begin, a query, a mutation and two subscriptions. The run button chooses one.
 */
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
