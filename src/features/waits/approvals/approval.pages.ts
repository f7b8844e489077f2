import { html, type Html } from '../../../platform/pages/html.js';
import { renderPage } from '../../../platform/pages/page.js';
import { MAX_COMMENT } from '../wait.inputs.js';

/** What an approver is asked. */
export interface Asked {
  /** Null for an approval that its run has not reached yet. */
  title: string | null;
  text: string | null;
  workflow: string | null;
  account: string;
  /** The address of the approver whose link it is; null for the link that belongs to no person. */
  approver: string | null;
  expiresAt: Date | null;
}

/** The form of a pending approval. Showing it decides nothing. */
export function approvalPage(asked: Asked, notice?: string): string {
  const { title, text, approver } = asked;
  const heading = title ?? 'Approval';
  return renderPage({
    title: `Approve: ${heading}`,
    width: 'narrow',
    body: html`<section class="card">
      <h1>${heading}</h1>
      ${notice !== undefined && html`<p class="notice" role="alert">${notice}</p>`} ${paragraphsOf(text)}
      ${facts(asked)}
      <form method="post" autocomplete="off">
        <label class="field"
          >Comment (optional) <textarea name="comment" rows="3" maxlength="${MAX_COMMENT}"></textarea>
        </label>
        <p class="actions">
          <button class="primary" type="submit" name="decision" value="approved">Approve</button>
          <button type="submit" name="decision" value="denied">Deny</button>
        </p>
      </form>
      <p class="soft small">
        ${approver === null ? 'The decision is recorded without a name.' : `The decision is recorded as that of ${approver}.`}
        It cannot be changed afterwards.
      </p>
    </section>`,
  });
}

/** A decision that was made. */
export interface Decided {
  title: string | null;
  decision: 'approved' | 'denied';
  comment: string | null;
  by: string | null;
  at: Date;
}

/** The page of a decided approval. `isNew`: this request has decided it. */
export function decidedPage({ title, decision, comment, by, at }: Decided, isNew: boolean): string {
  const isApproved = decision === 'approved';
  const heading = isApproved ? 'Approved' : 'Denied';
  return renderPage({
    title: title === null ? heading : `${heading}: ${title}`,
    width: 'narrow',
    body: html`<section class="card">
      <div class="outcome ${isApproved ? 'good' : 'bad'}" aria-hidden="true">${isApproved ? '✓' : '✕'}</div>
      <h1>${heading}</h1>
      ${title !== null && html`<p>${title}</p>`}
      <dl class="facts">
        <dt>Decided by</dt>
        <dd>${by ?? 'a person with the link'}</dd>
        <dt>When</dt>
        <dd><time datetime="${at.toISOString()}">${timeText(at)}</time></dd>
        ${
          comment !== null &&
          comment !== '' &&
          html`<dt>Comment</dt>
            <dd class="prewrap">${comment}</dd>`
        }
      </dl>
      <p class="soft small">${isNew ? 'You can close this window.' : 'It was decided before. Nothing was changed.'}</p>
    </section>`,
  });
}

/** The page of an approval that is over without a decision. */
export function approvalOverPage(): string {
  return renderPage({
    title: 'This approval is over',
    width: 'narrow',
    body: html`<section class="card">
      <div class="outcome bad" aria-hidden="true">!</div>
      <h1>This approval is over</h1>
      <p>Its time has passed, or its run has ended. No decision was recorded.</p>
    </section>`,
  });
}

function paragraphsOf(text: string | null): Html {
  const paragraphs = (text ?? '').split(/\n{2,}/).filter((part) => part.trim() !== '');
  return html`${paragraphs.map((part) => html`<p class="prewrap">${part}</p>`)}`;
}

function facts({ workflow, account, expiresAt }: Asked): Html {
  return html`<dl class="facts">
    ${
      workflow !== null &&
      html`<dt>Workflow</dt>
        <dd>${workflow}</dd>`
    }
    <dt>Account</dt>
    <dd>${account}</dd>
    ${
      expiresAt !== null &&
      html`<dt>Decide by</dt>
        <dd><time datetime="${expiresAt.toISOString()}">${timeText(expiresAt)}</time></dd>`
    }
  </dl>`;
}

function timeText(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
