import { Button, Card } from '../../pages/parts.js';
import { PageDocument } from '../../pages/page-document.js';
import type { EntranceView } from '../session/show-entrance.js';

/** The way into the shop: one button, which the page's script presses at once (rules/webshop 1). */
export function EntrancePage({ locale, brand, token }: EntranceView) {
  const { title, text, enter } = locale.texts.entrance;
  return (
    <PageDocument locale={locale} state="entrance" title={title} brand={brand} script="entrance">
      <Card>
        <h1>{title}</h1>
        <p>{text}</p>
        <form id="enter" method="post" action={`/shop/enter/${encodeURIComponent(token)}`}>
          <Button>{enter}</Button>
        </form>
      </Card>
    </PageDocument>
  );
}
