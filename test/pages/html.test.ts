import { html } from '../../src/platform/pages/html.js';

describe('html', () => {
  it('escapes what would end a text or a quoted attribute', () => {
    const label = `"><script>alert('1')</script>&`;
    expect(html`<p title="${label}">${label}</p>`.text).toBe(
      `<p title="&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;">` +
        `&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;</p>`,
    );
  });

  it('takes nested markup and lists of it as they are', () => {
    const items = ['<a>', 'b'].map((item) => html`<li>${item}</li>`);
    expect(html`${items}`.text).toBe('<li>&lt;a&gt;</li><li>b</li>');
  });

  it('leaves out false, null and undefined, and keeps zero and the empty text', () => {
    expect(html`[${false}${null}${undefined}|${0}|${''}]`.text).toBe('[|0|]');
  });

  it('escapes an object that only looks like markup', () => {
    const forged = JSON.parse('{"text":"<script>"}') as string;
    expect(html`${forged}`.text).not.toContain('<script>');
  });
});
