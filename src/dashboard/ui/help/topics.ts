/** A part of the reference that a page explains beside a field. */
export interface Topic {
  /** The title of the sheet. */
  title: string;
  /** The page below `/docs`. */
  page: string;
  /** The id of the heading that begins the part. */
  section: string;
}

/** The parts that have a “?” in the dashboard. A test finds each in the pages of the reference. */
export const TOPICS = {
  appRequest: { title: 'App request', page: 'actions', section: 'app_request' },
  condition: { title: 'Condition', page: 'actions', section: 'condition' },
  delay: { title: 'Delay', page: 'actions', section: 'delay' },
  httpRequest: { title: 'HTTP request', page: 'actions', section: 'http_request' },
  sendEmail: { title: 'Email', page: 'actions', section: 'send_email' },
  waitForApproval: { title: 'Approval', page: 'actions', section: 'wait_for_approval' },
  waitForCallback: { title: 'Callback', page: 'actions', section: 'wait_for_callback' },
  waitForConnection: { title: 'Connection of an end user', page: 'actions', section: 'wait_for_connection' },
  operators: { title: 'Operators', page: 'actions', section: 'operators' },
  placeholders: { title: 'Placeholders', page: 'placeholders', section: 'placeholders' },
  limitsOfRuns: { title: 'Limits of runs', page: 'limits', section: 'runs-and-steps' },
  schedule: { title: 'Schedules', page: 'triggers', section: 'schedule' },
  webhook: { title: 'Webhook triggers', page: 'triggers', section: 'webhook' },
  appEvent: { title: 'Events of applications', page: 'triggers', section: 'app_event' },
} as const satisfies Readonly<Record<string, Topic>>;

/** The name of a part. */
export type TopicName = keyof typeof TOPICS;
