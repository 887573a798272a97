import type { PageBrand } from '../brand/page-brand.js';
import type { PageLocale } from '../languages/page-locale.js';

interface PageFooterProps {
  readonly locale: PageLocale;
  readonly brand: PageBrand;
}

/** Links to help and terms, where the studio has named them. */
export function PageFooter({ locale, brand }: PageFooterProps) {
  const { help, terms, privacy } = locale.texts.page;
  const { supportUrl, supportEmail, termsUrl, privacyUrl } = brand;
  return (
    <footer className="page-footer">
      <FooterLink address={supportUrl} label={help} />
      <FooterLink address={supportEmail && `mailto:${supportEmail}`} label={supportEmail} />
      <FooterLink address={termsUrl} label={terms} />
      <FooterLink address={privacyUrl} label={privacy} />
    </footer>
  );
}

function FooterLink({
  address,
  label,
}: {
  address: string | undefined;
  label: string | undefined;
}) {
  return address === undefined ? null : <a href={address}>{label}</a>;
}
