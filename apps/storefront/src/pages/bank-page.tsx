import type { CreatedCheckoutLink } from '#domain/checkout-link';
import type { SandboxChallenge } from '#gateway';
import type { PageBrand } from '../brand/page-brand.js';
import type { PageLocale } from '../languages/page-locale.js';
import { formatPrice } from '../languages/price-text.js';
import { Button, Card } from './parts.js';
import { PageDocument, StatusNote } from './page-document.js';

/** All that the page of the sandbox's bank is made of. */
export interface BankPageProps {
  readonly locale: PageLocale;
  readonly link: Pick<CreatedCheckoutLink, 'linkId'>;
  readonly challenge: SandboxChallenge;
  readonly brand: PageBrand;
}

/** Where the sandbox's bank lets a player confirm or decline, once (rules/payments 19). It takes no script. */
export function BankPage(props: BankPageProps) {
  const { locale, link, challenge, brand } = props;
  const { bank } = locale.texts;
  return (
    <PageDocument locale={locale} state="bank" title={bank.title} brand={brand}>
      <Card>
        <h1>{bank.title}</h1>
        {challenge.outcome === null ? <Question {...props} /> : <Decided {...props} />}
        <p className="terms">{bank.testBank}</p>
        <p className="return">
          <a href={`/checkout/${encodeURIComponent(link.linkId)}`}>{bank.backToCheckout}</a>
        </p>
      </Card>
    </PageDocument>
  );
}

/** The form posts to the page's own address. */
function Question({ locale, challenge, brand }: BankPageProps) {
  const { bank } = locale.texts;
  return (
    <>
      <p>{bank.ask({ price: formatPrice(challenge.amount, locale.format), seller: brand.name })}</p>
      <form id="bank" method="post">
        <Button name="decision" value="accept">
          {bank.accept}
        </Button>
        <Button name="decision" value="decline" kind="quiet">
          {bank.decline}
        </Button>
      </form>
    </>
  );
}

function Decided({ locale, challenge: { outcome } }: BankPageProps) {
  const { accepted, declined } = locale.texts.bank;
  const isAccepted = outcome?.status === 'captured';
  return <StatusNote text={isAccepted ? accepted : declined} kind={isAccepted ? 'good' : 'bad'} />;
}
