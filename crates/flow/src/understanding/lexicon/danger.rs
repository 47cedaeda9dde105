//! Danger now, by construction: who does what to whom, and that it is now.
//!
//! `violence` lists wordings; here the words between subject, verb and object are left open.

use super::{Group, Signal::*, group, of_others};

pub(crate) const GROUPS: &[Group] = &[
    group(
        ViolenceNow,
        0.85,
        &[
            // The progressive is now.
            "{who} {be} {v3}{hitting} (?:{v1}(?:{me}|{body})|on {me}|at {me})",
            "(?:{kin}|he|she|they|someone) {hitting} (?:me|us|{other}|my {kin}|{kin})",
            "{who} {v2}(?:start|starts|started|starting|begin|begins|began|begun) (?:to (?:{hit}|get violent|attack)|{hitting}|getting (?:violent|physical)|on me)",
            "{who} (?:{be} |keep |keeps |kept |{v2})(?:turned|turning|turns) on (?:me|us)(?: now| again)?",
            "{who} {be} {v2}(?:on top of|all over|up against) me",
            "{who} (?:has|have|is|s|got|had) {v1}(?:got )?(?:me|us) (?:pinned|trapped|cornered|against|by the|in a (?:headlock|chokehold)|held|tied|on the (?:floor|ground)|locked)",
            "(?:cornered|trapped|surrounded|tied|ganging up on|ganged up on) (?:me|us)",
            "(?:i am|we are|me and [!-{}-~]+ are) {v2}(?:trapped|cornered|surrounded|tied up|held down|pinned)",
            // Fire and poison, with intent.
            "{who} {be} {v2}(?:pouring|splashing|spraying) (?:{g2})?(?:petrol|kerosene|gasoline|oil|acid|thinner|boiling|hot)",
            "(?:pulled|pulls|pulling|drew|took out|takes out|whipped out|brought out|produced) (?:{g1})?(?:a |an |the |his )?(?:{g1})?{weapon} (?:on|at|to|against|out|and)",
            "(?:at|with a) (?:knife ?point|gun ?point)",
            "{who} (?:is|has|have|just|s) {v1}(?:tied|gagged|handcuffed|bound|cuffed) (?:me|us|my)",
            "(?:not|never|will not|wo not) (?:let|letting|allow|allowing) (?:me|us) (?:{g1})?(?:out of|leave) (?:the |my |his |this )?(?:bedroom|room|toilet|bathroom|car|kitchen|storeroom)",
            "{who} {be} (?:{g1})?(?:in|inside) (?:my|our|the) (?:house|flat|home|apartment) (?:\\| )?(?:{g3})?(?:window|glass|door|intruder|stranger|noise|break|broke|footsteps|without)",
            "(?:someone|somebody|stranger|intruder|burglar|robber|a man|some guy) (?:{be} )?(?:{g1})?(?:in|inside|entered|entering|broke into) (?:my|our|the) (?:{g1})?(?:house|flat|home|apartment|room|bedroom|unit|kitchen)",
            "{who} {be} {v2}(?:lighting|setting|turning on) (?:{g3})?(?:fire|gas|alight|lighter)",
            "(?:turned|turning|opened|opening) (?:{g2})?gas (?:{g3})?(?:lighter|light|kill|us|blow)",
            // A weapon in a hand.
            "(?:with|got|has|have|holding|carrying|picked up|grabbed|took|takes|taking|waving|raising|raised|swinging|brandishing) (?:{g2})?(?:{weapon}|belt|stick|rod|pole|bottle|hammer|cane|chair|golf club|metal|iron|brick|rope|wire|broom|spanner|tool|cable|cord|charger|pipe|bat|slipper|lighter|petrol) (?:{g1})?in (?:his|her|their|both) hands?",
            "{who} {v3}(?:pointing|pointed|points|aiming|waving|swinging|brandishing|holding|raising) (?:{g2})?(?:{weapon}|knife|gun|chopper) (?:{g1})?(?:at|to|towards|on|over|near|against) (?:{g1})?(?:me|us|my|her|him|them|himself|herself|the|everyone|everybody|people|{kin})",
            "{weapon} (?:{g1})?(?:at|to|against|on|near) my (?:{g1})?(?:throat|neck|face|head|back|stomach|chest|body|daughter|son|baby|kids?|child|children|mum|mother|wife|sister|brother)",
            "(?:coming|came|come|comes|running|ran|charging|charged|rushed|rushing|lunged|lunging|goes|went) (?:{g1})?(?:at|for|towards|after) (?:me|us|her|him|my {kin}|{kin}) (?:now|with|again|holding|and)",
            // What he will do, said as near.
            "{who} {be} {v2}(?:going to|gonna|about to|trying to|threatening to|ready to|wanting to) {v1}(?:kill|murder|finish|stab|chop|slash|strangle|burn|beat|hit|hurt|slap|punch|whack|attack|throw|drop|harm|cane|rape|shoot|cut|smash|do something to) (?:{g1})?(?:me|us|her|him|them|my|our|the|everyone|himself and|{kin})",
            "if i (?:{g1})?(?:come out|open|go out|move|step out|leave the (?:room|toilet|bathroom|house)|scream|make (?:a )?(?:noise|sound)|hang up|call) (?:{g5})?(?:\\| )?(?:{g5})?(?:kill|hit|beat|hurt|stab|finish|whack|slap)(?: me| us)?",
            "(?:kill|finish|stab|murder|burn|slash|chop|beat|bash) (?:me|us|me off|us all|everyone|my {kin}) (?:{g1})?(?:tonight|now|right now|today|later|any minute|anytime|once|when (?:he|she|they))",
            "(?:tonight|now|today) (?:he|she|they) (?:{be} )?(?:will |going to |gonna |want to |wants to )(?:kill|finish|beat|hit|hurt|stab) (?:me|us|my)",
            "{who} (?:{be} )?(?:going to|gonna) throw (?:her|him|it|my|me|the (?:baby|child))",
            "(?:grabbed|got hold of|snatched|holding|took|dangling) (?:{g1})?(?:my|the|our) (?:baby|child|son|daughter|kid|kids|toddler) (?:{g5})?(?:not give|will not|wo not|window|knife|throw|threat|hostage|hurt|balcony|scream)",
            "{who} {be} {v2}(?:breaking|kicking|smashing|bashing|hammering|forcing|ramming|cutting|stabbing|hacking|sawing|shaking|slamming|pushing) (?:{g2})?{door}",
            "{who} {be} {v2}(?:banging|pounding|kicking|hammering|knocking) (?:loudly |hard |so hard )?(?:on |at )?(?:{g2})?{door}",
            "(?:banging|kicking|pounding|hammering|knocking) (?:{g2})?(?:my|our|the) {door} (?:{g5})?(?:threat|kill|burn|shout|shouting|scream|screaming|angry|drunk|threatening)",
            "{who} {be} {v2}(?:smashing|destroying|trashing|wrecking|throwing|breaking|punching|kicking|hitting|overturning|flipping|hurling|flinging) (?:{g1})?(?:things?|stuff|everything|plates|furniture|chairs?|tables?|bottles?|glass(?:es)?|walls?|doors?|the (?:house|place|flat|tv|room|kitchen|wall|door|table|window|car)|my (?:things|stuff|phone|room|car))",
            "{who} (?:went|gone|going|goes|has gone|is going|is gone) (?:{v1})?(?:berserk|amok|crazy|mad|ballistic|mental|psycho|nuts|wild) (?:{g5})?(?:knife|hitting|hit|smashing|throwing|shouting|attacking|stabbing|door|weapon|kill|everyone|at me|on me|on us)",
            "(?:i am|we are|i m|me|im) (?:{g2})?(?:under|behind|inside|in) (?:the |my )?(?:{g1})?(?:table|bed|sofa|cupboard|wardrobe|closet|cabinet|storeroom|store room|bomb shelter|shower)(?: {g5})?(?:hiding|hide|smashing|kids|shouting|scared|he|she|daddy|they|dad)",
            "i (?:now |quickly |run and |ran and |go and |still |also )?hide (?:at|in|under|behind|inside|here|with) (?:{g2})?(?:toilet|bathroom|room|staircase|stairs|bed|table|kitchen|store|storeroom|neighbou?r|void deck|cupboard|lift|corridor|here|outside|my (?:kids|children|son|daughter))",
            "(?:we|i) (?:{be} |am |have |ve |had to )?(?:{g1})?(?:locked|barricaded|shut|hiding|hid|hide) (?:{g1})?(?:myself|ourselves|us|in|inside|with my)",
            "(?:broke|breaking|climbed|climbing|forced|forcing|barged|barging|burst|bursting|busting|break|trying to (?:get|come|break)) (?:{g2})?(?:in|into|inside|through) (?:{g2})?(?:house|flat|home|room|place|apartment|door|window|gate|unit|bedroom)",
            "{who} {v5}trying to {v1}(?:break|force|kick|get|come|climb|smash|push|bash|open|ram|pick) (?:{g3})?(?:{door}|in|inside|lock|handle|gate)",
            "{who} {v3}(?:with|has|have|got|is got|carrying|holding) (?:a |an |the |his )?(?:{g1})?(?:knife|knives|parang|chopper|cleaver|gun|hammer|weapon|sword|axe|machete|screwdriver|metal (?:rod|pole|bar|pipe)|baseball bat|crowbar|penknife|acid|iron rod|golf club|broken bottle|scissors) (?:{g3})?(?:now|outside|downstairs|here|at the door|in the house|at home|right now|coming|waiting|shouting)",
            "{who} {v3}(?:outside|downstairs|here|at the door|in the (?:house|room|flat|kitchen|living room)|at my (?:door|gate|house)|upstairs) (?:{g2})?(?:with|holding|carrying|has|got) (?:{g2})?{weapon}",
            "(?:chase|chased|chasing|came|come|coming|ran|run|running|went|going|attack|attacked) (?:{g3})?(?:me|us|her|him|{kin}) (?:{g2})?with (?:a |the |his )?(?:{g1})?{weapon}",
            "{who} {v3}(?:got|has|have|grabbed|grabbing|holding|dragging|pulling|took) (?:me|us|her|him|my {kin}|{kin}) by (?:the |my |her |his )?(?:hair|neck|throat|arm|collar|leg|wrist)",
            "{who} {v3}just {v2}(?:threw|throw|hurled|flung|smashed|swung|chucked|broke|poured) (?:{g3})(?:at|on|over) (?:me|us|my)",
            "{who} {v5}{hitting} (?:me|us|{other}|my {kin}|each other)",
            "(?:dragging|pulling|forcing|shoving|bundling|pushing) (?:me|us|her|him|{other}|a (?:girl|woman)) (?:{g1})?(?:into|in|to|out of) (?:{g2})?(?:car|van|lorry|taxi|room|lift|toilet|house|bushes|staircase)",
            "(?:he|she|they|{kin}) (?:{v1})(?:{hit}) (?:me|us|my {kin}|{other}) (?:{g2})?(?:right now|now|at this moment|as we speak)",
            "{who} (?:just|just now) (?:[a-z]+ )?(?:{hit}) (?:me|us|my|{other})",
            "(?:being|getting|kena) (?:{g1})?(?:{hit}|attacked|assaulted|strangled|choked|robbed|chased|raped|molested) (?:by (?:{g2})?{kin} )?(?:right now|now|at this moment|outside|help|as we speak)",
            "(?:i am|we are|m) (?:{g1})?(?:being|getting) (?:{g1})?(?:{hit}|attacked|assaulted|strangled|choked|robbed|chased|raped|molested|threatened with)",
            "{who} (?:{be} )?(?:fighting|hitting|attacking|beating|bashing) each other",
            "(?:there is|there are|got|have) (?:{g2})?(?:blood|fight|fighting) (?:{g2})?(?:everywhere|all over|outside|in the house|going on|on the floor|at my|in my)",
        ],
    ),
    group(
        ViolenceNow,
        0.6,
        &[
            "{who} {be} {v2}(?:out of control|raging|enraged|rampaging|going off|hitting out|going berserk|not stopping|still (?:here|in the (?:house|room|flat)|around|outside|at (?:home|it)|shouting|angry|screaming))",
            "{who} {be} {v2}(?:pacing|waiting|standing|lurking|outside|sitting|searching|looking for me|looking for us|blocking|guarding|screaming|shouting|yelling|cursing) (?:{g2})?(?:outside|door|bedroom|room|stairs|for me|for us|at the gate|downstairs|toilet|gate|corridor|at me|at us)",
            "{who} {be} {v1}(?:coming|on (?:his|her|their) way|reaching|approaching|at the (?:door|gate|lift)|almost here|nearby|outside|back home|home now|walking up)",
            "(?:going|gonna|about|want|wants|threatening|threaten|threatens|will) (?:to )?(?:{g1})?(?:beat|hit|hurt|whack|slap|punch|cane|harm) (?:me|us)(?: again| when| later| tonight| now)?",
            "at it again",
            "(?:now |still |outside |is )(?:looking|searching|hunting|shouting) for (?:me|us)",
            "(?:hit|beat|whack|kick|slap|punch) (?:me )?(?:{g1})?until (?:{g1})?(?:bleed|bleeding|blood)",
            "(?:walking|pacing) (?:up and down|around|back and forth|outside)",
            "{who} {be} {v1}(?:punching|kicking|hitting|banging|slamming|throwing|breaking|smashing)",
            "not safe(?: here| at home| now| where i am| in this house| tonight| with (?:him|her|them)| at all| right now|$)",
            "(?:and|now|then) (?:{be} |he {be} |she {be} )?(?:coming|walking|running|heading) (?:back|up|in|down|over|towards)",
            "(?:window|glass|door|gate) (?:{g1})?(?:break|breaking|broke|smash|smashing|smashed|shatter|shattering)",
            "(?:hits?|punched|kicked|slapped|choked|beat|whacked|stabbed|pushed|slammed) (?:{g3})?just now",
            "(?:scared|afraid|terrified|frightened|fear|fearful) (?:of (?:{g1})?(?:him|her|them|my {kin})|to be (?:at )?home|to be alone with|for my life|at home)",
            "(?:man|guy|someone|somebody|stranger|ex|boyfriend|husband|person|people|men|he|they) (?:{g3})?(?:outside|at|by) (?:my|our|the) (?:{g1})?(?:gate|door|house|window|flat|block|unit)",
            "{who} (?:{v2})(?:{g1})?(?:not|never|refuse|refuses|refusing|refused) (?:to )?(?:leave|go away|get out)(?: my (?:house|flat|place))?(?: \\||$)",
            "(?:not|never) feel safe",
            "trying (?:the |my )?(?:handle|door|door ?knob|lock|key|gate)",
            "i (?:need|want) (?:the )?(?:police|help now|help fast|help quickly)",
            "(?:call|get|send|want) (?:me )?(?:the )?police",
            "{who} (?:{be} )?(?:with|has|holding) (?:a |the )?(?:stick|belt|bottle|cane|rod|hanger|lighter|stun gun|taser)",
        ],
    ),
    of_others(
        ViolenceNow,
        0.85,
        &[
            "{who} {be} {v3}(?:{hitting}|attacking|threatening) {v1}{other}",
            "{kin} {be} {v2}(?:being|getting) {v1}(?:{hit}|attacked|assaulted|strangled|choked|stabbed|beaten|abused)",
            "(?:{kin}|they|people) {be} {v1}(?:fighting|attacking each other) (?:{g3})?(?:knife|knives|badly|blood|bleeding|weapon|chopper|bottles?|chairs?)",
        ],
    ),
    group(
        ViolenceNow,
        0.5,
        &[
            "(?:he|she|they) (?:will|want to|wants to|going to|d|is going to) (?:{g1})?(?:kill|finish|murder) (?:me|us)",
        ],
    ),
    // Not enough to ask by itself; with another hint it is.
    group(
        ViolenceNow,
        0.45,
        &[
            "{who} {be} {v2}(?:violent|aggressive|dangerous|furious|unstable|losing it|very angry|angry|mad|drunk|high|on drugs|not sober|on ice|on meth)",
            "{who} {v2}(?:drunk|got drunk|been drinking|drinking|on ice|on drugs|high)",
        ],
    ),
    of_others(
        ViolenceNow,
        0.58,
        &[
            "(?:neighbou?rs?|next door|upstairs|downstairs|opposite|couple|unit) (?:{g5})?(?:screaming|shouting|crying|fighting|yelling|thumping|banging|crashing|begging|smashing|thuds?|screams?|cries)",
            "(?:hear|heard|hearing) (?:{g5})?(?:scream|screams|screaming|shouting|shouts|crying|cries|fighting|banging|thumping|thuds?|crash|crashing|smashing|breaking|begging|sobbing)",
        ],
    ),
];
