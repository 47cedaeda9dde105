//! What a turn can be about that makes words of harm likely to be meant otherwise: a film, a game,
//! an exam, an animal, a joke.
//!
//! Nothing is silenced by these. What a turn with one of them says of danger or harm is asked about
//! rather than acted on: people who watch films are hurt too.

pub(crate) const FRAMES: &[&str] = &[
    // Told, played, sung, dreamt.
    "(?:movies?|films?|cinema|dramas?|k ?dramas?|episodes?|finale|netflix|channel (?:5|8|u|five|eight)|mediacorp|actors?|actress|characters?|anime|manga|cartoons?|novels?|chapters?|poems?|lyrics?|songs?|karaoke|ktv|podcasts?|documentary|youtube|tiktok|reels?|trailer|spoiler)",
    "(?:read|reading|reads|studying|learning|learnt|essay|research|documentary) (?:{g2})?(?:about|on)",
    "(?:the|on|in the|on the|saw the) news|news(?:paper|papers)|straits times|channel news|went viral|scrolling",
    "(?:escape room|haunted house|horrors? (?:nights|room|house))",
    "(?:rehearsals?|rehearsing|rehearse|role ?plays?|theatre|drama (?:club|class|school)|acting|audition|script|playing the part)",
    "(?:dreams?|dreamt|dreamed|nightmares?)",
    "(?:gaming|video games?|computer games?|the game|football game|gamers?|mobile legends|valorant|dota|league|minecraft|roblox|pubg|fortnite|lobby|respawn|spawn|ranked|mythic|noob|boss fight|controller|ps5|xbox)",
    "(?:mahjong|poker|chess|werewolf|mafia|laser tag|paintball|escape room|cosplay|halloween)",
    // Sport and training.
    "(?:gym|burpees?|push ups?|deadlifts?|planks?|leg day|squats?|workout|marathon|football|soccer|rugby|muay ?thai|boxing|boxer|judo|karate|taekwondo|silat|bjj|sparring|spar|wrestling|tournament|shooting range|pistol club|archery|fencing|liverpool|arsenal|man ?u|man united|epl|striker|goalkeeper|body ?fat|calories|cutting season|bulking|bulk)",
    // School and work.
    "(?:paper (?:one|two|three|1|2|3)|exams?|maths?|chem|physics|tutorials?|assignments?|essays?|thesis|dissertation|quiz|psle|o ?levels?|a ?levels?|results slip|syllabus|homework|lectures?|survey|history|occupation|textbook|case study|journalist|reporter|newspaper|article|first aid (?:course|class|training)|training course|volunteers?|volunteering|workshop|hypothetical|hypothetically|role of)",
    "(?:deadline|kpi|sales target|presentation|pitch|slides|audit season|peak season)",
    // Animals and small children.
    "(?:kittens?|kitty|puppy|puppies|hamsters?|rabbits?|birds?|parrot|vet|spca|cockroach|cockroaches|mosquito|mosquitoes|ants|rats?|lizards?|geckos?|spiders?|bees?|monkeys?|snakes?|crows?|chickens?|durians?)",
    "(?:(?:one|two|three|1|2|3) years? old|(?:one|two|three|1|2|3)-year-olds?|my (?:two|three|one) year old|he is (?:two|three|one)|she is (?:two|three|one)|teething|potty|terrible twos|newborn)",
    // Food, body, house.
    "(?:cooking|chopping|frying|making (?:dinner|supper|lunch)|recipe|kitchen knife set|chopping board|vegetables|onions|chilli|mala|spicy|sambal|buffet|fasting)",
    "(?:dentist|tooth|wisdom teeth|physio|physiotherapist|massage chair|surgery|surgeon|vaccination|jab|tattoos?|piercing|haircut|fringe|wax|waxing)",
    "(?:flights?|airlines?|typhoon|transit|camping|campsite|camp site|netflix|taxman|singpass)",
    "(?:laundry|renovation|drilling|furniture|parcel|traffic jam)",
];

/// Said with a laugh, wherever it stands.
pub(crate) const LAUGHED_OFF: &[&str] = &[
    "(?:songs?|lyrics?|movie|film|show|book|poem|quote|meme|line) (?:{g3})?(?:that|which|where|called) (?:goes|says|said|sings|he|she|they)",
    "(?:cats?|dogs?|parrot|hamster|rabbit|toddler|baby) (?:\\| )?i (?:mean|am talking about)",
    "(?:haha|hahaha|hahahaha|hehe|lol|lmao|rofl|joking|kidding|just (?:a )?jokes?|figure of speech|as the saying goes|so to speak|literally dead|funny story|prank|pranked)",
];

/// Said of one's own words.
pub(crate) const FIGURES: &[&str] = &[
    "(?:figure of speech|way of (?:speaking|talking)|just (?:a )?(?:saying|word|expression)|(?:just |only )?(?:joking|kidding)|exaggerat(?:e|ed|ing))",
    "not (?:literally|actually|really) (?:kill|killing|die|dying|murder|hit|beat)|not (?:kill kill|die die|hit hit|beat beat)",
];

/// What it all was, said once it was not to be shared.
pub(crate) const SHOWS: &[&str] = &[
    "(?:episodes?|channel (?:5|8|u|five|eight)|k ?dramas?|the drama|the (?:nine|9) o ?clock show|lyrics?|the novel|the film|role ?play|rehearsal|assignment)",
    "(?:sparring|spar|silat|muay ?thai|judo|boxing|taekwondo|karate|wrestling|bjj|kickboxing) ?(?:partner|training|class|night|ring)?",
];

/// What people win and lose: in it, "he beats me" is a score.
pub(crate) const CONTESTS: &[&str] = &[
    "(?:scrabble|monopoly|carrom|badminton|tennis|ping pong|bowling|snooker|darts|uno|board games?|card games?|mahjong|poker|chess|wordle|sudoku|crossword|quiz|trivia|mario ?kart|fifa|tekken|mobile legends|valorant|dota|roblox|minecraft)",
    "(?:won|win|winning|scored?|points|trophy|finals?|semi ?finals?|champions?|championship|league table|leaderboard|first place|second place|rematch|best of three|handicap)",
];
