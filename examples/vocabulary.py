"""Words of the demo site: what its invented stories are about, in English and in Japanese.

Everything here is made up for this project: places, people and events do not exist.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """What one story is about; ``slug`` is its word in the URL."""

    slug: str
    subject: str
    place: str
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """The words and sentence moulds from which the stories of one language are written.

    A mould holds slots in braces (``{subject}``, ``{person}``, ``{group}``, ...) that are filled
    from the lists below or, for subject, place and person, from the story itself.
    """

    news: tuple[Topic, ...]
    columns: tuple[Topic, ...]
    authors: tuple[str, ...]
    people: tuple[str, ...]
    slots: dict[str, tuple[str, ...]]
    openings: tuple[str, ...]
    moulds: tuple[str, ...]
    quotes: tuple[str, ...]
    headings: tuple[str, ...]
    list_items: tuple[str, ...]
    captions: tuple[str, ...]
    comments: tuple[str, ...]
    readers: tuple[str, ...]
    tags: tuple[tuple[str, str], ...]
    """(slug, name as shown)."""


def _topics(rows: tuple[tuple[str, str, str, str], ...]) -> tuple[Topic, ...]:
    return tuple(Topic(slug=s, subject=j, place=p, title=t) for s, j, p, t in rows)


ENGLISH = Vocabulary(
    news=_topics(
        (
            ("night-ferry", "the night ferry", "Gull Quay", "Night ferry returns to Gull Quay"),
            ("bakery-oven", "the old bakery oven", "Lime Street", "A bakery lights its oven again"),
            ("tide-clock", "the tide clock", "the harbour office", "Tide clock repaired at last"),
            ("library-roof", "the library roof", "Mill Square", "Rain stops at the library roof"),
            ("oyster-beds", "the oyster beds", "Pell Bay", "Oyster beds open to families"),
            ("bell-buoy", "the bell buoy", "the Narrows", "Who pays for the bell buoy?"),
            ("school-garden", "the school garden", "Upper Fern", "School garden feeds the canteen"),
            ("bus-line-nine", "bus line nine", "Castle Hill", "Bus line nine takes the hill road"),
            ("fog-signal", "the fog signal", "Cape Orrin", "Fog signal falls silent for repairs"),
            ("choir-hall", "the choir hall", "Saint Anne's", "Choir hall gets its windows back"),
            ("salt-market", "the salt market", "Old Customs", "Salt market moves under cover"),
            ("rowing-club", "the rowing club", "Reed Basin", "Rowing club launches a wooden eight"),
            ("apple-week", "apple week", "Northfield", "Apple week counts ninety sorts"),
            ("lamp-posts", "the lamp posts", "Rope Walk", "Lamp posts on Rope Walk to stay"),
            ("sea-wall", "the sea wall", "Pell Bay", "Council votes to raise the sea wall"),
            ("post-office", "the post office", "Fern Bridge", "Post office shares a counter"),
            ("swift-boxes", "the swift boxes", "the grain store", "Swifts find their new boxes"),
            ("winter-pool", "the winter pool", "Reed Basin", "Winter pool opens at dawn"),
            ("map-room", "the map room", "the town archive", "Map room shows its lost charts"),
            ("ice-house", "the ice house", "Lime Street", "Ice house found under a garage"),
            ("kite-day", "kite day", "Long Strand", "Kite day draws a record crowd"),
            (
                "harbour-dredger",
                "the harbour dredger",
                "Gull Quay",
                "Dredger finds a cargo of tiles",
            ),
        )
    ),
    columns=_topics(
        (
            ("slow-bread", "slow bread", "my kitchen", "In praise of slow bread"),
            ("borrowed-boat", "a borrowed boat", "Reed Basin", "What a borrowed boat teaches"),
            ("letters-home", "letters home", "the reading room", "Letters home, read aloud"),
            ("wet-boots", "wet boots", "the hill path", "Three miles in wet boots"),
            ("second-hand-books", "second-hand books", "Mill Square", "The shelf by the door"),
            ("quiet-machines", "quiet machines", "the net loft", "Quiet machines and loud people"),
            ("late-trains", "late trains", "Fern Bridge", "A timetable for late trains"),
            ("winter-soup", "winter soup", "the long table", "Soup for forty neighbours"),
            ("garden-walls", "garden walls", "Upper Fern", "Why we lean on garden walls"),
            ("lost-gloves", "lost gloves", "the bus shelter", "The museum of lost gloves"),
        )
    ),
    authors=("Marta Holm", "Idris Vale", "Jo Pennant", "Sanna Reyes"),
    people=(
        "Agnes Orme",
        "Tomas Bly",
        "Ruth Calder",
        "Elias Munk",
        "Perpetua Day",
        "Hal Quine",
        "Noor Abbot",
        "Vera Stone",
        "Colm Rigg",
        "Lotte Brand",
        "Amos Teel",
        "Priya Wren",
    ),
    slots={
        "group": (
            "the harbour board",
            "the neighbours",
            "two retired pilots",
            "a class of ten-year-olds",
            "the town council",
            "the friends of the museum",
            "a crew of volunteers",
            "the fishing families",
            "the people of the upper town",
            "the evening school",
        ),
        "amount": (
            "four hundred crowns",
            "a little over nine thousand crowns",
            "half a year's rent",
            "twelve lorry loads",
            "sixty-one signatures",
            "three winters of savings",
            "nearly two tonnes",
            "a third of the budget",
        ),
        "when": (
            "on the first calm morning",
            "late on Tuesday",
            "before the spring tides",
            "after six quiet years",
            "while the rest of the town slept",
            "by the end of the month",
            "during the long dry weeks of August",
            "an hour after high water",
        ),
        "thing": (
            "a box of brass fittings",
            "a hand-drawn plan",
            "the missing ledger",
            "a coil of tarred rope",
            "a borrowed pump",
            "an oak door with three locks",
            "a photograph from 1931",
            "a set of keys nobody recognised",
            "the spare engine",
            "a crate of blue tiles",
        ),
        "detail": (
            "the paint was still wet",
            "nobody had asked the gulls",
            "the rain held off until dusk",
            "the kettle was never cold",
            "the old drawings turned out to be right",
            "the clock on the square struck twice",
            "the bridge stayed open all night",
            "the dogs were better behaved than the speakers",
        ),
        "verb": (
            "measured",
            "repaired",
            "argued about",
            "photographed",
            "carried away",
            "paid for",
            "painted",
            "wrote down",
            "weighed",
            "remembered",
        ),
        "count": ("Seven", "Eleven", "Nineteen", "Twenty-four", "Thirty", "Forty-two", "Sixty"),
    },
    openings=(
        "It began with {thing} that {person} found near {place} {when}.",
        "For most people here {subject} was a thing of the past until {when}.",
        "{person} remembers the day when {group} first {verb} {subject}.",
        "Nobody at {place} expected {subject} to make the front page.",
        "The news reached {place} {when}, and {detail}.",
    ),
    moulds=(
        "{count} people came to {place} {when}, and {detail}.",
        "According to {person}, {group} {verb} {thing} and left {amount} on the table.",
        "The work on {subject} cost {amount}, most of it given by {group}.",
        '"We only {verb} what was ours," says {person}, who keeps {thing} in the hall.',
        "{group_cap} will meet again at {place}, where {thing} is waiting for them.",
        "What makes {subject} so stubborn is hard to say; {detail}, and so {group} went on.",
        "In the minutes of the meeting {person} {verb} every offer, down to {amount}.",
        "A week earlier {group} had {verb} {thing}, and {person} thought the matter closed.",
        "There was talk of {amount}, then of {thing}, and in the end of nothing but {subject}.",
        "{person} walked from {place} to the pier {when} to see whether {subject} would hold.",
        "Since then {group} have {verb} {subject} twice, {when} and again before supper.",
        "The second plan asks for {amount} and {thing}, which {person} calls a fair price.",
        "If {group} agree, {subject} could be ready {when}; if not, {detail}.",
        "On the wall hangs {thing}, and below it a note in the hand of {person}.",
    ),
    quotes=(
        "We did not save {subject} for the visitors. We did it because {detail}.",
        "Give me {thing} and a free evening, and I will show you how {group} did it.",
        "Every town has one place it cannot explain. Ours is {place}.",
        "I was told it would take {amount}. It took {group} and a thermos of tea.",
    ),
    headings=(
        "How {group} {verb} {thing}",
        "{amount_cap}, and then?",
        "{person} and {thing}",
        "A walk round {place} with {person}",
        "{count} voices on {subject}",
        "What {person} kept",
    ),
    list_items=(
        "{thing_cap}, lent by {person}",
        "{amount_cap} from {group}",
        "a place to sit near {place}",
        "one dry day {when}",
        "somebody who has {verb} {subject} before",
    ),
    captions=(
        "{subject_cap}, seen from {place}. Photo: {person}",
        "{person} with {thing}. Photo: {author}",
    ),
    comments=(
        "My grandfather {verb} {thing} there. Thank you for writing about {subject}.",
        "I was at {place} too and it was not like that at all. {detail_cap}, that is true.",
        "Does anybody know whether {group} still need {thing}? I have one to give away.",
        "Lovely piece, but {amount} sounds like a lot for {subject}.",
        "Please say when the next meeting is. Last time nobody told {group}.",
    ),
    readers=("tidepool77", "Old Salt", "M. Aubrey", "fernwalker", "Kit", "the_lamplighter"),
    tags=(
        ("harbour", "Harbour"),
        ("food", "Food"),
        ("history", "History"),
        ("weather", "Weather"),
        ("people", "People"),
    ),
)

JAPANESE = Vocabulary(
    news=_topics(
        (
            ("yakou-ferry", "夜行フェリー", "かもめ埠頭", "夜行フェリー、かもめ埠頭に帰る"),
            ("pan-gama", "古いパン窯", "菩提樹通り", "老舗の窯に再び火が入る"),
            ("shio-dokei", "潮時計", "港務所", "潮時計の修理がようやく完了"),
            ("toshokan-yane", "図書館の屋根", "水車広場", "図書館の雨漏り、四年ぶりに止まる"),
            ("kaki-dana", "牡蠣棚", "ペル湾", "牡蠣棚の見学、家族連れでにぎわう"),
            ("kane-buoy", "鐘のブイ", "瀬戸の口", "鐘のブイの費用は誰が払うのか"),
            ("gakkou-batake", "学校の畑", "上羊歯地区", "学校の畑の野菜が給食に"),
            ("basu-kyuusen", "九番バス", "城山", "九番バス、坂道の路線へ"),
            ("kiri-bue", "霧笛", "オリン岬", "霧笛、修理のためしばらく沈黙"),
            ("gasshou-kan", "合唱館", "聖アンナ教会", "合唱館の窓に光が戻る"),
            ("shio-ichi", "塩の市", "旧税関", "塩の市、屋根の下へ引っ越し"),
            ("boto-bu", "漕艇部", "葦の船だまり", "漕艇部が木造の八人艇を進水"),
            ("ringo-shuukan", "りんご週間", "北野原", "りんご週間、九十品種が並ぶ"),
            ("gaitou", "縄通りの街灯", "縄通り", "縄通りの街灯は残ることに"),
            ("boucho-tei", "防潮堤", "ペル湾", "町議会、防潮堤のかさ上げを可決"),
            ("yuubinkyoku", "郵便局", "羊歯橋", "郵便局の窓口に豆腐屋が同居"),
            ("amatsubame", "雨燕の巣箱", "穀物倉庫", "雨燕が新しい巣箱に入る"),
            ("fuyu-pool", "冬のプール", "葦の船だまり", "冬のプール、夜明けに開場"),
            ("chizu-shitsu", "地図室", "町の文書館", "地図室、失われた海図を公開"),
            ("tako-no-hi", "凧の日", "長浜", "凧の日に過去最多の人出"),
        )
    ),
    columns=_topics(
        (
            ("yukkuri-pan", "ゆっくり焼くパン", "うちの台所", "ゆっくり焼くパンのこと"),
            ("karita-fune", "借りた舟", "葦の船だまり", "借りた舟が教えてくれたこと"),
            ("tegami", "故郷への手紙", "閲覧室", "声に出して読む手紙"),
            ("nureta-kutsu", "濡れた靴", "丘の小道", "濡れた靴で三里を歩く"),
            ("furuhon", "古本", "水車広場", "戸口の本棚"),
            ("shizukana-kikai", "静かな機械", "網小屋", "静かな機械とにぎやかな人"),
            ("okureta-ressha", "遅れた列車", "羊歯橋駅", "遅れる列車の時刻表"),
            ("fuyu-no-shiru", "冬の汁物", "長机", "四十人分の汁物を煮る"),
            ("ishigaki", "石垣", "上羊歯地区", "石垣に寄りかかる理由"),
            ("tebukuro", "なくした手袋", "停留所", "なくした手袋の博物館"),
        )
    ),
    authors=("森田佳代", "榎本潤", "早川みのり", "ライアン・ホルム"),
    people=(
        "大江千鶴さん",
        "武藤一馬さん",
        "瀬川るいさん",
        "古賀誠司さん",
        "相沢ときさん",
        "三好拓さん",
        "木村ふみさん",
        "沖田良平さん",
        "野田つぐみさん",
        "八木沢元さん",
        "遠山すみれさん",
        "関口仁さん",
    ),
    slots={
        "group": (
            "港の組合",
            "近所の人たち",
            "引退した水先案内人たち",
            "小学四年生の一組",
            "町議会",
            "博物館友の会",
            "有志の作業班",
            "漁師の家族",
            "上の町の住民",
            "夜間学校の生徒たち",
        ),
        "amount": (
            "四百クローネ",
            "九千クローネあまり",
            "半年分の家賃",
            "トラック十二台分",
            "六十一人の署名",
            "三冬ぶんの貯え",
            "二トン近い荷",
            "予算の三分の一",
        ),
        "when": (
            "凪の朝",
            "火曜の夜遅く",
            "春の大潮の前",
            "六年の静けさのあと",
            "町が眠っている間",
            "月末まで",
            "雨の少ない八月",
            "満潮の一時間後",
        ),
        "thing": (
            "真鍮の金具の箱",
            "手描きの図面",
            "行方不明だった台帳",
            "タールを塗った綱",
            "借り物のポンプ",
            "錠が三つある樫の扉",
            "一九三一年の写真",
            "誰のものか分からない鍵束",
            "予備の機関",
            "青いタイルの木箱",
        ),
        "detail": (
            "塗りたての匂いがまだ残っていた",
            "かもめの意見は誰も聞かなかった",
            "雨は夕方まで降らなかった",
            "やかんが冷めることはなかった",
            "古い図面のほうが正しかった",
            "広場の時計が二度鳴った",
            "橋は一晩中開いていた",
            "犬のほうが弁士より行儀がよかった",
        ),
        "verb": (
            "測った",
            "直した",
            "議論した",
            "撮影した",
            "運び出した",
            "支払った",
            "塗り直した",
            "書き留めた",
            "量った",
            "思い出した",
        ),
        "count": ("七人", "十一人", "十九人", "二十四人", "三十人", "四十二人", "六十人"),
    },
    openings=(
        "始まりは、{person}が{when}に{place}の近くで見つけた{thing}だった。",
        "{subject}は、この町の多くの人にとって{when}まで過去のものだった。",
        "{group}が初めて{subject}を{verb}日のことを、{person}はよく覚えている。",
        "{place}で、{subject}が一面の記事になると思っていた人はいない。",
        "知らせが{place}に届いたのは{when}のことで、{detail}。",
    ),
    moulds=(
        "{when}、{place}には{count}が集まり、{detail}。",
        "{person}によると、{group}は{thing}を{verb}うえ、{amount}を机に置いていったという。",
        "{subject}の工事には{amount}がかかり、その大半は{group}が出した。",
        "「自分たちのものを{verb}だけです」と{person}は話し、{thing}を今も広間に置いている。",
        "{group}はもう一度{place}に集まる予定で、そこには{thing}が待っている。",
        "{subject}がなぜこれほど手ごわいのかは説明しにくいが、{detail}。{group}にはそれで十分だった。",
        "会合の議事録によれば、{person}は{amount}に至るまで、すべての申し出を{verb}。",
        "その一週間前、{group}は{thing}を{verb}ばかりで、{person}は話が済んだと思っていた。",
        "話は{amount}から{thing}へ移り、最後に残ったのは{subject}だけだった。",
        "{person}は{when}に{place}から桟橋まで歩き、{subject}が持ちこたえるかを確かめた。",
        "それから{group}は{subject}を二度{verb}。一度は{when}、もう一度は夕食の前である。",
        "二つ目の案には{amount}と{thing}が要るが、{person}は妥当な値段だと言う。",
        "{group}が同意すれば{subject}は{when}に整う。そうでなければ、また一年を待つことになる。",
        "壁には{thing}が掛かり、その下に{person}の手書きの札がある。",
    ),
    quotes=(
        "{subject}を守ったのは観光客のためではありません。{detail}、それだけです。",
        "{thing}と暇な晩さえあれば、{group}がどう{verb}かをお見せしますよ。",
        "どの町にも説明できない場所が一つある。うちの町では{place}です。",
        "{amount}が必要だと言われました。実際に要ったのは{group}と魔法瓶のお茶でした。",
    ),
    headings=(
        "{group}が{thing}を{verb}日",
        "{amount}のその後",
        "{person}と{thing}",
        "{person}と歩く{place}",
        "{subject}をめぐる{count}の声",
        "{person}が残したもの",
    ),
    list_items=(
        "{person}が貸してくれた{thing}",
        "{group}からの{amount}",
        "{place}の近くの腰掛け",
        "{when}の晴れた一日",
        "{subject}を前に{verb}ことのある人",
    ),
    captions=("{place}から見た{subject}。撮影：{person}", "{thing}と{person}。撮影：{author}"),
    comments=(
        "祖父もそこで{thing}を{verb}と聞いています。{subject}の記事をありがとうございます。",
        "私も{place}にいましたが、少し様子が違いました。{detail}のは本当です。",
        "{group}はまだ{thing}を探していますか。うちに一つ余っています。",
        "よい記事ですが、{subject}に{amount}は多すぎませんか。",
        "次の会合の日も書いてください。前回は{group}に知らせがありませんでした。",
    ),
    readers=("潮だまり", "老水夫", "羊歯歩き", "灯台の猫", "キット", "点灯夫"),
    tags=(
        ("minato", "港"),
        ("tabemono", "食"),
        ("rekishi", "歴史"),
        ("tenki", "天気"),
        ("hito", "人"),
    ),
)
