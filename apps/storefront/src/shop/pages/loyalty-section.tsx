import type { CampaignProgress } from '#domain/loyalty';
import { formatCount } from '../../languages/count-text.js';
import type { PageLocale } from '../../languages/page-locale.js';
import { Badge, Button } from '../../pages/parts.js';
import { ShopForm } from './shop-form.js';

type Milestone = CampaignProgress['milestones'][number];

interface LoyaltyProps {
  readonly locale: PageLocale;
  readonly loyalty: readonly CampaignProgress[];
  /** The catalog's name of an item that is a reward; the studio's id of it where it has none. */
  readonly nameItem: (itemId: string) => string;
}

/** How far the player has come in each campaign, and the rewards to claim. */
export function LoyaltySection({ loyalty, ...props }: LoyaltyProps) {
  if (loyalty.length === 0) return null;
  return (
    <section className="loyalty" aria-labelledby="loyalty">
      <h2 id="loyalty">{props.locale.texts.loyalty.title}</h2>
      {loyalty.map((campaign) => (
        <article key={campaign.campaignId} className="card" data-campaign-id={campaign.campaignId}>
          <Progress locale={props.locale} campaign={campaign} />
          <ul className="milestones">
            {campaign.milestones.map((milestone) => (
              <li key={milestone.id}>
                <MilestoneEntry {...props} campaign={campaign} milestone={milestone} />
              </li>
            ))}
          </ul>
        </article>
      ))}
    </section>
  );
}

/** The bar is full at the last milestone; its name says the number, which a bar alone does not. */
function Progress({ locale, campaign }: { locale: PageLocale; campaign: CampaignProgress }) {
  const { loyalty } = locale.texts;
  const { campaignId, name, points, milestones } = campaign;
  const next = milestones.find((milestone) => milestone.points > points);
  const most = milestones.at(-1)?.points ?? 0;
  return (
    <>
      <h3>{name}</h3>
      <p id={`points-${campaignId}`}>{loyalty.points({ points })}</p>
      <progress
        max={most}
        value={Math.min(points, most)}
        aria-labelledby={`points-${campaignId}`}
      />
      <p className="terms">
        {next === undefined
          ? loyalty.allReached
          : loyalty.missing({ points: next.points - points })}
      </p>
    </>
  );
}

interface MilestoneProps extends Omit<LoyaltyProps, 'loyalty'> {
  readonly campaign: CampaignProgress;
  readonly milestone: Milestone;
}

function MilestoneEntry({ locale, nameItem, campaign, milestone }: MilestoneProps) {
  const { loyalty, shop } = locale.texts;
  const { id, points, rewards, state } = milestone;
  const action = `/shop/milestones/${campaign.campaignId}/${encodeURIComponent(id)}/claim`;
  return (
    <>
      <div>
        <p>{loyalty.milestone({ points })}</p>
        <ul className="rewards">
          {rewards.map(({ itemId, quantity }, index) => (
            <li key={index}>
              {loyalty.reward({
                quantity: formatCount(quantity, locale.format),
                item: nameItem(itemId),
              })}
            </li>
          ))}
        </ul>
      </div>
      {state === 'open' ? (
        <ShopForm action={action}>
          <Button>{shop.claim}</Button>
        </ShopForm>
      ) : (
        <Badge text={loyalty.states[state]} {...(state === 'claimed' && { kind: 'good' })} />
      )}
    </>
  );
}
