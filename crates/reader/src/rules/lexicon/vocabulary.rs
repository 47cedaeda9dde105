//! The word groups that lexicon patterns name in braces. Groups may name groups.

/// Each group's name and its alternatives.
const GROUPS: &[(&str, &str)] = &[
    // Up to two, three or five words of the same clause.
    ("g1", r"(?:[!-{}-~]+ )?"),
    ("g2", r"(?:[!-{}-~]+ ){0,2}"),
    ("g3", r"(?:[!-{}-~]+ ){0,3}"),
    ("g4", r"(?:[!-{}-~]+ ){0,4}"),
    ("g5", r"(?:[!-{}-~]+ ){0,5}"),
    // The same, of words that begin no new subject and deny nothing: between a subject and its verb.
    ("v1", "(?:[a-z]+ )?"),
    ("v2", "(?:[a-z]+ ){0,2}"),
    ("v3", "(?:[a-z]+ ){0,3}"),
    ("v5", "(?:[a-z]+ ){0,5}"),
    // People.
    (
        "adj",
        "(?:ex|own|drunk|elder|younger|older|big|little|small|step|foster|eldest|second|new|former|real|adult|grown up|upstairs|old)",
    ),
    (
        "kin",
        "(?:{adj} )*(?:husbands?|wife|wifes|spouse|partner|boyfriends?|girlfriends?|ex|fiancee?|father in law|mother in law|parents in law|brother in law|sister in law|son in law|daughter in law|in laws?|fathers?|dads?|mothers?|mums?|parents|stepdad|stepfather|stepmum|stepmother|stepbrother|stepsister|stepson|stepdaughter|brothers?|sisters?|sons?|daughters?|kor|kor kor|jie|didi|mei mei|uncles?|aunt|auntie|aunty|cousins?|nephew|niece|grandfather|grandpa|ah gong|ah kong|gong gong|grandmother|grandma|grandson|granddaughter|ah ma|po po|popo|nenek|atok|abah|ayah|ibu|mak|bapa|appa|amma|abang|kakak|suami|family|relatives?|boss|supervisor|manager|colleagues?|employers?|sir|madam|maam|teacher|coach|tutor|classmates?|schoolmates?|seniors?|friends?|housemates?|roommates?|flatmates?|neighbou?rs?|tenants?|landlord|landlady|caregiver|helper|maid|nurse|man|men|guy|guys|stranger|child|kids?|children|baby|boy|girl|lady|woman|pastor|doctor|driver|bullies|gang|lecturer|professor|instructor|sergeant|encik|officer|customer|client|patient|agent|dude|person|people|intruder|robber|thief|burglar|ah long|loan ?sharks?|debt collectors?|drunkard|mdm|towkay)",
    ),
    // "My husband's brother": the second of two.
    (
        "relative",
        "(?:brother|sister|mother|father|mum|dad|son|daughter|family|friends?|cousin|uncle|aunt|auntie|girlfriend|boyfriend|husband|wife|parents)",
    ),
    ("my", "(?:my|our|the|her|his|their|this|that|some|a|one)"),
    (
        "who",
        "(?:he|she|they|someone|somebody|some one|everyone|everybody|(?:{my} )?{kin}(?: s)?(?: {relative})?)",
    ),
    (
        "fam",
        "(?:he|she|they|(?:my |our )?{kin}(?: s)?(?: {relative})?)",
    ),
    ("me", "(?:me|us|mi|everyone|everybody|all of us|both of us)"),
    (
        "other",
        "(?:her|him|them|each other|someone|somebody|people|everyone|everybody|one another|(?:{g1})?(?:my|the|his|her|our|their|a|an) (?:{g1})?{kin})",
    ),
    (
        "person",
        "(?:her|him|each other|someone|somebody|people|(?:{g1})?(?:my|the|his|her|our|their|a|an) (?:{g1})?{kin})",
    ),
    (
        "part",
        "(?:face|head|arms?|legs?|back|stomach|tummy|belly|chest|neck|hair|hands?|eyes?|mouth|nose|ears?|cheeks?|shoulders?|ribs|body|throat|wrists?|knees?|foot|feet|fingers?|thighs?|backside|lips?|jaw|teeth|tooth|spine)",
    ),
    (
        "body",
        "(?:my (?:{g1})?{part}|our faces|me on the|me on my|me in the|me in my|me by the|me by my|me across the|me against the|me at my|me with his|me with her|me with a|me with the|me with their|me down|me into|me around|me onto|me to the|me off)",
    ),
    // What stands between a subject and its verb.
    (
        "aux",
        "(?:(?:is|s|are|was|were|has|have|had|d|been|do|does|did|just|always|keep|keeps|kept|keeps coming to|keep coming to|came to|comes to|come home|came home|comes home|on|start|starts|started|begin|began|begins|still|now|again|then|also|already|suddenly|sometimes|often|usually|even|almost|ever|never|not|like|likes to|like to|used to|come|comes|came|and|go|went|once|one time|recently|every day|every night|last night|yesterday|this morning|today|tonight|just now|no|got drunk|gets drunk|drunk|angry|mad|got angry|gets angry|who|that|tried to|tries to|actually|physically|suka|got|nearly|will|in a rage|last week|in the past|earlier|ever since|before) )*",
    ),
    ("be", "(?:is|are|s|be)"),
    // Wishing, planning, fearing of oneself.
    (
        "wish",
        "(?:want|wants|wanted|wanting|wanna|wish|wishes|wishing|wished|hope|hoping|hoped|pray|praying|prayed|ready|going|gonna|plan|planning|planned|thinking|think|thought|thoughts|decided|deciding|prefer|rather|tempted|considering|considered|imagine|imagining|picture|picturing|dream|dreaming|fantasi[sz]e|fantasi[sz]ing|urge|urges|feel|feeling|felt|need|intend|intending|about|better|should|contemplate|contemplating|contemplated|daydream|daydreaming|obsessed|visuali[sz]e|visuali[sz]ing|googling|googled|searching|searched|researching|looking up|ways|how|kept|keep|keeps|like|time)",
    ),
    // Not living on, in its many wordings.
    (
        "death",
        "(?:die|dying|dead|death|my death|be dead|suicide|end it(?: all)?|ending it(?: all)?|end everything|ending everything|end my life|ending my life|take my (?:own )?life|taking my (?:own )?life|(?:kill|killing|hang|hanging|drown|drowning|unalive|off|gas|shoot|end|ending|delete|finish) (?:myself|my self)|kms|not exist|stop existing|cease to exist|not be alive|stop being alive|stop living|stop breathing|leave this (?:world|earth|life)|leaving this (?:world|earth|life)|(?:not|never) wak(?:e|ing) up|(?:not|never) open(?:ing)? (?:them|my eyes)|sleep for ?ever|sleeping for ?ever|sleep for good|go to sleep for ?(?:ever|good)|be no more|slit(?:ting)? my wrists?|cut(?:ting)? my wrists?|(?:jump|jumping|step|stepping|throw myself|throwing myself|walk|walking|drive|driving|run|running) (?:off|down from|in front of|onto|into|into the path of) (?:[!-{}-~]+ ){0,2}(?:sea|ocean|river|reservoir|water|traffic|expressway|building|block|roof|rooftop|ledge|platform|tracks?|train|bridge|bus|lorry|traffic|window|balcony|parapet|mrt|car|hdb|flat|floor|storey|truck))",
    ),
    (
        "gone",
        "(?:gone|dead|not (?:here|around|alive)|no longer (?:here|around|alive)|no more|out of the (?:way|picture)|disappeared?|vanished?|died|die|passed)",
    ),
    // What is taken too much of.
    (
        "dose",
        "(?:all (?:of )?(?:my|the|his|her|those|these)|(?:the |a |my )?(?:whole|entire|full) (?:bottle|box|strip|packet|pack|lot|container|bunch)(?: of)?|(?:a )?(?:bunch|lot|lots|handful|fistful|ton|tons|load|loads|bottle|box|packet|strip|cocktail|mix|heap)(?: of| full of)?|bottles|boxes|strips|too many|too much|many|so many|every|excess|more than i should|(?:1|2|3|4|5|6|7|8|9)[0-9]|(?:1|2|3)[0-9][0-9]|ten|twelve|fifteen|twenty|thirty|forty|fifty|sixty|hundred|dozens?(?: of)?)",
    ),
    (
        "took",
        "(?:took|take|taken|taking|swallow|swallowed|swallowing|ate|eaten|eat|popped|popping|downed|drank|drunk|drink|drinking|consumed|finished|gulped|had|chewed|makan)",
    ),
    // What people are called to put them down.
    (
        "insult",
        "(?:useless|stupid|worthless|ugly|fat|fatty|fatso|burden|idiot|trash|garbage|rubbish|pathetic|crazy|mad|dumb|lazy|whore|slut|prostitute|failure|bitch|good for nothing|disgrace|disappointment|mistake|retard(?:ed)?|disgusting|hopeless|no use|bodoh|siao|pig|loser|dog|bad names|nasty names|horrible names|names|unwanted|ungrateful|horrible things|hurtful things|nasty things|mean things|bad things|vulgar|vulgarities|fool|old fool|monster|parasite|leech|freak|cripple|liar|thief|cheap|dirty|embarrassment|shameful|shame|waste of (?:money|space|time|oxygen|food|air)|psycho|mental|insane|dead weight|curse|jinx|suay|sway|animal|bastard|cow|gila|babi|sohai|chao|kan ni|cb|nothing|unlovable|weak|sissy|faggot|gay|dramatic|slave|maid|black|spoilt|evil|devil|not human|brainless|incompetent|lousy|terrible (?:wife|mother|daughter|son|husband|child)|bad (?:wife|mother|daughter|son|child|person|girl|boy)|unfilial)",
    ),
    // Hurting, by form.
    (
        "hit",
        "(?:hit|hits|hitted|beat|beats|beated|beaten|slap|slaps|slapped|punch|punches|punched|kick|kicks|kicked|push|pushes|pushed|shove|shoves|shoved|whack|whacks|whacked|cane|canes|caned|belt|belts|belted|grab|grabs|grabbed|drag|drags|dragged|attack|attacks|attacked|assault|assaults|assaulted|bash|bashes|bashed|bit|bite|bites|burn|burns|burned|burnt|scald|scalds|scalded|pinch|pinches|pinched|wallop|wallops|walloped|hantam|hantams|smack|smacks|smacked|struck|strike|strikes|headbutt|headbutted|stomp|stomped|thrash|thrashes|thrashed|tie|tied|stab|stabs|stabbed|whip|whips|whipped|manhandle|manhandles|manhandled|pukul|tumbuk|trash|trashed|beat up|beats up|threw|throws|throw|knock|knocked|kidnapped|tortured?|tortures|molotov|hurt|hurts|hurted|scratch|scratches|scratched|claw|clawed|spank|spanks|spanked|flog|flogs|flogged|lash|lashes|lashed|bashed up|knee|kneed|elbowed|poke|poked|jab|jabbed|yank|yanked|choke|chokes|choked|strangle|strangles|strangled|whacking|slam|slams|slammed|shake|shakes|shook|flip|flipped|mistreat|mistreats)",
    ),
    (
        "hitting",
        "(?:hitting|beating|beating up|slapping|punching|kicking|pushing|shoving|whacking|caning|belting|grabbing|dragging|hurting|attacking|assaulting|bashing|biting|burning|choking|strangling|stabbing|smacking|pinching|thrashing|whipping|throttling|walloping|hantaming|killing|bullying and hitting|throwing things at|throwing stuff at|raping|molesting|manhandling|torturing|suffocating|pulling|pulling at|yanking|cornering|wrestling|stomping on|stepping on|slashing|chopping|bashing up|whacking up|throwing|spitting on|scratching|pinning|twisting|slamming|shaking|flinging|poking|bashing)",
    ),
    (
        "choke",
        "(?:choke|chokes|choked|strangle|strangles|strangled|throttled?|suffocated?|smothered?)",
    ),
    (
        "weapon",
        "(?:knife|knives|parang|chopper|cleaver|gun|scissors|hammer|weapon|blade|sword|axe|machete|screwdriver|broken bottle|glass bottle|bottle|baseball bat|bat|metal rod|rod|pole|crowbar|penknife|lighter|petrol|acid)",
    ),
    (
        "door",
        "(?:doors?|gates?|grilles?|windows?|bedroom|toilet|bathroom|room|house|flat|car|shutters?)",
    ),
    (
        "pills",
        "(?:pills?|tablets?|panadols?|paracetamol|medicines?|medications?|meds|sleeping pills?|painkillers?|antidepressants?|capsules?|xanax|valium|drugs|insulin|bleach|detergent|pesticide|weedkiller|rat poison|poison|floor cleaner|dettol)",
    ),
    (
        "high",
        "(?:block|building|roof|rooftop|window|windows|ledge|balcony|bridge|mrt|track|tracks|train|hdb|flat|floor|storey|corridor|parapet|carpark|car park|condo|edge|reservoir|flyover|overhead bridge)",
    ),
    (
        "now",
        "(?:right now|now|at this moment|at the moment|as we speak|tonight)",
    ),
];

/// A pattern with every group written out.
pub(crate) fn expand(pattern: &str) -> String {
    let mut out = pattern.to_owned();
    // Groups are at most three deep; the bound also stops a group that names itself.
    for _ in 0..4 {
        for (name, group) in GROUPS {
            let braced = format!("{{{name}}}");
            if out.contains(&braced) {
                out = out.replace(&braced, group);
            }
        }
    }
    out
}
