//! Suicidal signs, by construction: a wish and an end in one clause; no reason to go on; others better
//! off; means at hand; affairs settled.
//!
//! `self_harm` lists wordings; here what stands between is left open.

use super::{Group, Signal::*, group};

pub(crate) const GROUPS: &[Group] = &[
    group(
        SuicidalDirect,
        0.9,
        &[
            "{wish} (?:[!-{}-~]+ ){0,4}(?:to |of |about |i was |i were |i could |i can |myself )(?:just |simply |maybe |really )?{death}",
            "{wish} (?:just )?{death}",
            "(?:kms|kill ?myself|sewerslide|unalive)",
            "(?:no|not have|lost|lose|losing|without|never had) (?:{g2})?(?:will|wish|desire|want|reason|strength|purpose|courage) (?:{g1})?(?:to|for) (?:{g1})?(?:live|living|life|stay alive|being alive|exist|go on living|keep living)",
            "i (?:{g3})?(?:not|never) (?:{g1})?(?:want|wish|feel like|desire|care|plan|intend) (?:to )?(?:{g1})?(?:live|living|life|be alive|being alive|exist|existing|be on this (?:earth|world)|be in this (?:world|life)|do life|be living|survive|go on living)(?: any more| already| again)?",
            "(?:how many|how much) (?:{g1})?{pills} (?:{g3})?(?:takes?|to|before|would|will|need|does|kill|die|overdose|enough)?",
            "(?:voices?|something|my (?:head|brain|mind|thoughts)) (?:{g3})?(?:tell|tells|telling|told|say|says|saying|said|asking|asks|scream|screaming) (?:{g1})?(?:me )?(?:to |that i should )?(?:{g1})?(?:jump|die|kill|end|hurt|do it|cut|go|stop living)",
            "(?:tried|trying|attempted|attempt|attempting|nearly|almost) (?:to )?(?:{g1})?(?:hang myself|kill myself|end my life|take my life|jump off|jump down|drown myself|gas myself|overdose|die|suicide|end it)",
            "(?:pills?|tablets?|medicine|medication|panadols?|bills|rope|noose|blade|razor|charcoal|knife|poison|bleach|insulin|belt) (?:{g2})?(?:in my hands?|in front of me|next to me|beside me|on the table in front|ready|with me now|all laid out|laid out)",
            "(?:bottle|box|packet|strip|handful) of (?:{g1})?{pills} (?:{g1})?(?:in my hands?|in front of me|next to me|beside me|ready|with me)",
            "(?:standing|sitting|stand|sit|leaning|climbed|climbing|perched|am|looking down|look down|staring down|gone|here) (?:{g3})?(?:on|at|by|near|over|from|off|beside|outside|along|up|to) (?:{g3})?(?:ledge|parapet|rooftop|roof|railing|railings|mrt tracks?|train tracks?|tracks|platform edge|edge of (?:the )?(?:building|roof|bridge|platform|block|reservoir)|overhead bridge|(?:{g1})?(?:highest|top|th|tenth|eleventh|twelfth|thirteenth|fifteenth|twentieth|[1-9][0-9]) (?:floor|storey|level))",
            "(?:other|wrong) side of (?:the )?(?:railing|railings|parapet|fence|barrier|window)",
            "(?:wrote|written|writing|write|left|leave|leaving) (?:{g3})?(?:letters?|notes?|will|everything down|messages?|goodbyes?) (?:{g3})?(?:to|for) (?:{g1})?(?:family|kids|children|parents|mum|mother|wife|husband|everyone|them|him|her|son|daughter|loved ones|friends)",
            "they (?:will |ll |d |would )(?:find|discover) (?:it|me|my body|the (?:letter|note)|my letter|my note) (?:{g2})?(?:tomorrow|in the morning|after|later|when|soon|too late)",
            "(?:plan|plans|planned|planning|date|day|method|way) (?:{g3})?(?:to )?(?:end|kill|die|suicide|jump|hang|overdose)",
            "(?:if|when) i (?:{g1})?(?:jump|jumped|overdose|overdosed|hang|hanged|kill|killed|end it|ended it|swallow|swallowed)",
        ],
    ),
    group(
        SuicidalIndirect,
        0.8,
        &[
            // No reason, no use, no point.
            "(?:no|any|what is the|whats the|what|see no|do not see the|where is the|see the|the|without|not much|little|lost|lose|find no|find a|got no|see any|see a|a single|one) (?:{g2})?(?:reason|point|use|purpose|meaning|sense|good) (?:{g2})?(?:to|of|in|for me to|for) (?:{g1})?(?:live|living|life|go on|going on|carry on|carrying on|being here|being alive|continue|continuing|stay alive|staying alive|wake up|waking up|be here|exist|existing|keep going|me living|me being here|me being alive|stay|all this)",
            "why (?:should|must|do|am|would|did|bother|even|i|need)(?: i| to| even| still| bother| keep| must| should){0,3} (?:carry on|carrying on|carry|go on|going on|live|living|alive|wake up|waking up|continue|continuing|exist|existing|stay alive|keep going|being alive|bother living)(?: on)?",
            "(?:not|never) (?:{g1})?(?:see|know|understand|find|think of) (?:{g1})?why i (?:should |must |even |still |would |am |have to )*(?:carry on|go on|live|living|alive|wake up|continue|exist|stay|keep going|here|try)",
            "(?:not|never) (?:worth|meant|made|cut out) (?:{g1})?(?:living|to live|for this (?:world|life)|for life|being alive|it to live)",
            "(?:life|living|my life|everything|existence) (?:{g2})?(?:not worth|pointless|meaningless|over|finished|worthless|a burden|nothing left|empty and)(?: {g1}(?:living|it))?",
            // Others, better off.
            "(?:everyone|everybody|they|people|family|kids|children|parents|world|wife|husband|mum|mother|dad|father|son|daughter|friends?|them|he|she|all|you|someone) (?:{g5})?(?:better|happier|easier|relieved|fine|good|peace|free|cope|manage|ok|well|glad|lighter|simpler|celebrate|rejoice) (?:off )?(?:{g3})?(?:without me|if i (?:{g2})?{gone}|when i (?:am |m )?{gone}|once i (?:am |m )?{gone}|after i (?:am |m )?{gone}|if i were not|if i was not|when i leave this)",
            "(?:better|easier|simpler|happier|best|cheaper|good|nicer|relief) (?:{g3})?(?:everyone|everybody|them|people|all|family|kids|children|parents|mum|husband|wife|others|anyone|you all) (?:{g2})?(?:if i|without me|when i)",
            "(?:without me|if i (?:was|were|am|go|went|left|died|die|disappear|disappeared)(?: not)? ?(?:here|around|gone|dead|not here)?) (?:\\| )?(?:they|everyone|everybody|my (?:family|kids|children|parents|wife|husband|mum|son)|the world|people|it|things|all|he|she) (?:{g2})?(?:be |do |have )?(?:{g1})?(?:better|happier|easier|relieved|fine|good|peace|free|cope|manage|ok)(?: off)?",
            "(?:no one|nobody|none|not one|no body|who|not a single person|anyone|anybody) (?:{g3})?(?:miss|notice|care|cry|mourn|remember|realise|realize|look for me|come to my funeral|bother) (?:{g3})?(?:if|when|once|after|that) i (?:{g2})?{gone}",
            "(?:if|when|once|after) i (?:{g2})?(?:am gone|was gone|were gone|disappear(?:ed)?|died|die|dead|no longer around|not around|not here) (?:\\| )?(?:{g1})?(?:no one|nobody|who|will anyone|would anyone|everyone|they|people|none) (?:{g3})?(?:miss|notice|care|cry|mourn|remember|know|happier|better|relieved|sad|find)",
            "(?:better|happier|best|well|easier) (?:off )?(?:{g1})?without (?:me|a {kin} like me|someone like me|{kin} like me|this burden)",
            "(?:better|best) off (?:{g1})?(?:not being here|gone|dead|not here|not around|not alive|not existing|six feet under)",
            "(?:they|everyone|everybody|family|parents|people|kids|children|he|she) (?:{g2})?(?:be|feel|cry|get) (?:{g1})?(?:sad|upset|hurt|heartbroken|cry|shocked)? ?(?:{g4})?(?:\\| )?(?:but )?(?:{g2})?then (?:{g3})?(?:relieved|better|move on|get over|fine|forget|ok|free|happier)",
            "(?:what|why) (?:am i|i am|i) (?:{g1})?(?:still )?(?:{g1})?(?:here|living|alive) (?:for|still)",
            "why am i (?:still |even )?(?:here|around|alive)",
            // Not for much longer.
            "(?:not|no longer|never) (?:{g5})?(?:burden|bother|trouble|problem|nuisance|load|worry|be here|be around|be alive|be with you|see me|have to deal with me|hear from me|have to worry) (?:{g5})?(?:longer|any more|soon|again|tomorrow|after tonight|after today|next (?:week|month|year))",
            "(?:can|could|will|would) not (?:{g1})?(?:promise|guarantee|say|be sure) (?:{g2})?(?:i (?:will|can|am going to) )?(?:be )?(?:{g1})?(?:here|alive|around|make it|still be here|last) (?:{g2})?(?:tomorrow|tonight|next|morning|much longer|long|weekend)?",
            "(?:tonight|today|this|it) (?:{g1})?(?:be|is|will be|may be|might be|could be) (?:{g1})?(?:my |the )?(?:last|final) (?:{g1})?(?:night|day|call|goodbye|time (?:we|you|i|anyone) (?:{g1})?(?:talk|speak|hear|see)|conversation|words|birthday|christmas|meal|chance to say)",
            "(?:my|the) (?:last|final) (?:{g1})?(?:night|day|goodbye|goodbyes|words|message|letter|call)(?: {g1})?(?:alive|on earth|here|tonight|ever|with)?",
            "(?:this|it|all this|everything) (?:will|would|is going to|gonna|ll) (?:{g1})?(?:be )?(?:over|end|ended|finished|done) (?:soon|tonight|tomorrow|for good|today|for me)",
            "(?:by|come) (?:tomorrow|morning|tonight|this time tomorrow) (?:{g1})?i (?:will|will not|wo|would|ll) (?:{g2})?(?:gone|not be|dead|be here|be alive|be gone)",
            // Affairs settled, things given away.
            "(?:put|putting|set|setting|get|getting|got|sorted|settled|settling|arranged|tidied|cleared|paid off|wrapped up|organised|organized|prepared) (?:{g3})?(?:affairs|papers|will|insurance|everything|debts|accounts|loose ends|funeral|coffin|cpf nomination) (?:{g3})?(?:in order|up|sorted|so (?:that )?(?:{g5})?|before i go|for (?:when|after)|already|paid|settled)",
            "(?:after|when|once) i (?:am|m) (?:gone|dead|no longer|not here|not around|no more)",
            "(?:gave|giving|given|give|donated|donating) (?:away )?(?:{g1})?(?:all (?:of )?(?:my|the)|everything|my (?:favou?rite|most|precious|beloved|prized|treasured))(?: {g3})?(?:away|to (?:my )?{kin})?",
            "(?:gave|giving|given|give) (?:{g1})?(?:my (?:dog|cat|pet|pets|hamster|rabbit|bird)) (?:{g1})?(?:away|to)",
            // The end, named otherwise.
            "{wish} (?:[!-{}-~]+ ){0,3}(?:to |i could |i can |of )?(?:just )?(?:{g1})?(?:disappear|vanish|fade away|be gone|be no more|not be here|not be around|be with (?:god|the lord|jesus|allah)|meet (?:god|my maker)|stop being here|sleep and never|rest forever|rest in peace|go for good|leave for good|leave forever|go forever|be at peace(?: forever)?)(?: forever| for good| completely| from this world| any more)?",
            "close my eyes (?:{g1})?(?:{g1})?(?:and|n|forever) (?:{g2})?(?:never|not|forever)",
            "(?:sleep|go to sleep|fall asleep|drift off|lie down) (?:{g2})?(?:forever|for ever|for good|permanently|never (?:have to )?wake|not wake|never to wake|and not get up)",
            "(?:not|never) (?:{g2})?(?:want|wish|hope|feel like|like|wanting|feeling like|bother) (?:to )?(?:{g1})?wak(?:e|ing) up(?: tomorrow| again| any more| in the morning)?",
            "(?:god|lord|allah|jesus|heaven|buddha|tuhan) (?:{g2})?(?:take|takes|call|calls|bring|fetch) me",
            "(?:go|going|find|join|follow|see|meet|be with|reunite with|together with) (?:{g1})?(?:{g1})?(?:him|her|them|my (?:late )?{kin}) (?:{g2})?(?:in heaven|up there|in the next life|on the other side|in the afterlife|soon|already gone|again soon|above)",
            "(?:{kin}|he|she) (?:{g1})?(?:gone|dead|died|passed(?: away| on)?|left this world)(?: already| now| last [!-{}-~]+)? (?:\\| )?(?:and |so )?(?:{g1})?i (?:{g2})?(?:want|wish|going|like|ready|hope|wanna|better|should) (?:{g2})?(?:go|follow|join|find|be with|see|meet)",
            "(?:better|might as well|may as well|should|let me|just let me|wish i can|waiting to|time to|my turn to|time for me to|i want to|want to) (?:i )?(?:{g1})?(?:go (?:first|early|already|soon|now|liao|away forever)|die|leave (?:first|early|this world))",
            "(?:old|useless|no use|sick|burden|nothing|trouble) (?:{g5})?(?:\\| )?(?:{g2})?better (?:{g1})?(?:i )?(?:go|die|gone|dead|leave)(?: {g1})?(?:early|first|already|now)?",
            "(?:want|wanted|wanna|need|wish|just want|looking for) (?:to get |to be |i was |a way )?out of (?:this|my) (?:life|world|misery|existence|body)",
            "(?:done|finished|over|through) with (?:this )?(?:life|living|the world|this world|being alive|existing|myself)",
            "(?:end|stop|escape|finish|free myself from) (?:{g1})?(?:the|this|my|all|all the|all this) (?:{g1})?(?:pain|suffering|misery|hurt|agony|torture) (?:{g1})?(?:forever|for good|permanently|once and for all|tonight|myself|now)",
            "(?:do|doing|did|done) (?:{g1})?(?:something|anything|harm|bad things) to myself",
            "(?:cut|cutting|cuts|burn|burning|scratch|scratching|hurt|hurting|harm|harming|punish|punishing|starve|starving|hit|hitting) (?:myself|my self|my (?:{g1})?(?:arms?|wrists?|legs?|thighs?))(?: again| every| when| until| because| and| to| at night| with| so| since| on purpose| now)?",
            "(?:thought|thoughts|idea|urge|urges|feelings) (?:{g1})?(?:of|about|to|like) (?:{g1})?(?:hurting|harming|ending|killing|cutting|dying|death|suicide|hurt|harm|end|jumping)(?: myself)?",
            "(?:not|never) (?:{g4})?(?:make it|last|survive|live|get|see|be alive|be here) (?:{g1})?(?:through|past|until|till|to|to see|beyond|for) (?:{g2})?(?:tonight|the night|tomorrow|this week|the week|the weekend|my (?:{g1})?birthday|next (?:week|month|year)|morning|the year|christmas|new year)",
        ],
    ),
    group(
        SuicidalIndirect,
        0.58,
        &[
            "(?:my life|life|it|everything) (?:is|s|feels) (?:{g1})?(?:over|finished|ruined|done|a mess and|hopeless|pointless|not worth it)",
            "i (?:just )?want out(?: already| of everything)?",
            "(?:already|just|have|i) (?:{took}) (?:the|those|these|all|my) {pills}(?: already| now| just now)?",
            "(?:before|until|till) i go",
            "(?:wonder|wondering) (?:{g2})?(?:what|how) (?:it|death|dying|falling) (?:{g1})?(?:would|will|d|feels?)(?: {g1})?(?:be|feel)?(?: like)?",
            "(?:can|could) not (?:{g2})?(?:go on|carry on|continue|keep going|take|tahan|bear|do|stand|cope|live|face|endure|survive)(?: {g2})?(?: any more| anymore| already| much longer| any longer| like this)",
            "(?:wish|hope) i (?:could |can )?(?:{g1})?(?:was someone else|never existed|not exist|not be here|not here|be gone)",
            "(?:no|without|lost|lose|losing) (?:{g1})?(?:all )?(?:hope|future|way out|tomorrow|reason)",
            "(?:i )?(?:really |truly |completely )?(?:hate|despise|loathe|disgusted with|sick of) (?:being me|myself|my ?self|my life|this life|living)",
            "(?:everything|it all|the pain|this) (?:to|would|will|just) (?:just )?(?:stop|end|be over|go away)",
            "nobody (?:{g1})?(?:needs|wants|will miss|would miss) me",
            "(?:i am|feel like|feel|being|become|just) (?:{g1})?(?:a |such a |only )?(?:burden|waste of space|mistake|dead weight|no use|useless|worthless)(?: to| on| for)?",
            "only trouble (?:my |everyone|others|people|them)(?:{kin})?",
            "i (?:am|feel) (?:{g1})?(?:empty|numb|dead inside|broken)(?: inside)?(?: {g1}(?:all the time|every day|any more|and tired))",
            "last resort|no other (?:way|choice|option)|see no other way|run out of (?:options|hope|reasons)",
        ],
    ),
    group(
        SuicidalIndirect,
        0.8,
        &[
            "(?:made|make|making|found) (?:{g1})?peace (?:with (?:it|everything|dying|death|god|myself))?(?: {g3}before i go)?",
            "(?:i have|i|ve|already) (?:{g1})?made (?:{g1})?peace",
            "(?:this|it) is (?:{g1})?(?:goodbye|good bye|farewell|my goodbye)(?: i guess| then)?",
            "(?:bought|buy|got|found|prepared|tied|tying|hung|have) (?:{g1})?(?:{g1})?(?:rope|noose|charcoal|helium|razor blades?|blades?|sleeping pills)(?: today| yesterday| ready| already)?",
            "(?:window|balcony|corridor|parapet|ledge|roof|rooftop|edge|height|floor|storey|railing) (?:\\| )?(?:{g5})?(?:wonder|wondering|imagine|thinking|think|tempted|how easy|what it would|jump|let go|just fall|look down)",
            "(?:painful|painless|painlessly|hurt|quickest|easiest|fastest|quick|peaceful|peacefully|best|least painful) (?:{g2})?(?:way |ways |method )?(?:{g1})?(?:to )?(?:die|dying|death|hang|hanging|jump|overdose|end it|go|suicide)(?: by| from| of)?",
            "{who} {v5}(?:kill|killing|end|hang|hurt|harm|unalive|off|cut|cutting|drown) (?:himself|herself|themselves|themself|his life|her life|their life)",
            "(?:friend|brother|sister|mum|mother|dad|father|son|daughter|wife|husband|girlfriend|boyfriend|cousin|classmate|she|he|they|roommate|colleague) (?:{v5})(?:{took}|overdosed|swallow) (?:{g2})?(?:{pills}|overdose|poison|everything|bleach)",
        ],
    ),
    group(
        SuicidalDirect,
        0.88,
        &[
            "{wish} (?:[!-{}-~]+ ){0,3}(?:drink|drinking|swallow|swallowing|take|taking|eat|eating|down|downing|inject|injecting) (?:{g2})?(?:bleach|dettol|detergent|pesticide|weedkiller|rat poison|poison|floor cleaner|toilet cleaner|clorox|cleaner|insecticide|battery|acid|chemicals?|all (?:my|the|of)|the whole|too many|overdose)",
            "(?:stop|stopped|stopping|skip|skipping|refusing) (?:{g1})?(?:taking |eating )?(?:{g1})?(?:insulin|medicine|medication|dialysis|eating|heart pills|treatment) (?:{g3})?(?:die|end|over|let go|give up|go|finish)",
        ],
    ),
    group(
        SelfHarmNow,
        0.85,
        &[
            "i (?:{g2})?cut (?:{g3})?(?:too deep|so deep|really deep|deep|vein|artery)",
            "(?:cut|cuts|wound) (?:{g1})?(?:is |was )?(?:{g1})?deep (?:{g4})?(?:blood|bleeding)",
            "(?:wrist|arm|hand|thigh|leg) (?:{g2})?bleeding (?:\\| )?(?:{g2})?(?:i |from )(?:{g1})?(?:cut|cutting|slit|self)",
        ],
    ),
    // Not enough to ask by itself; with another hint it is.
    group(
        SuicidalIndirect,
        0.45,
        &[
            "i (?:gave|have given|am giving|passed|handed) (?:{g3})(?:to|away)(?: my)? (?:{kin}|anyone who)",
            "(?:sorry|thank you) for everything",
        ],
    ),
    group(
        OverdoseNow,
        0.9,
        &[
            "{took} (?:{g1})?(?:everything|all|whatever|anything) (?:{g4})?(?:medicine|pills?|cabinet|drawer|tablets?|medication|first aid)",
            "(?:i|already|just|have|ve) (?:{g2})?{took} (?:{g3})?{dose} (?:{g3})?(?:{pills}|bills|heart medicine|tablets?)",
            "(?:i|already|just|have|ve) (?:{g2})?{took} (?:{g3})?(?:{pills}) (?:{g2})?(?:all of (?:it|them)|everything|all at once|the whole|too (?:much|many)|until|with alcohol|to (?:die|end|sleep forever|kill))",
            "(?:i|already|just|have|ve) (?:{g2})?(?:drank|drink|drunk|swallowed|swallow|drinking|consumed) (?:{g3})?(?:bleach|dettol|detergent|pesticide|weedkiller|rat poison|poison|floor cleaner|cleaner|battery|batteries|kerosene|insecticide|toilet (?:cleaner|bowl cleaner)|acid|clorox|drain cleaner|chemicals?)",
            "(?:all|every one|the lot) of (?:it|them) (?:\\| )?(?:{g2})?(?:pills|medicine|tablets|swallowed|overdose)",
            "(?:medicine|medication|pills|tablets|panadol|insulin) (?:\\| )?(?:{g1})?(?:all of (?:it|them)|the whole (?:bottle|box|strip|packet)|every (?:last )?(?:one|pill|tablet))",
            "(?:injected|inject) (?:{g3})?(?:insulin|heroin|everything)",
            "(?:od|overdosed|overdosing|o d)(?: on| already| just now)?",
        ],
    ),
];
